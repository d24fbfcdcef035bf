// Manual writes the manual pages, one per command and one per topic of help, from the program's
// help:
//
//	go run ./scripts/manual DIR
//
// It is a program of its own, for releases, so that the formatter of pages is in no program
// that searches. The date of the pages is SOURCE_DATE_EPOCH, in seconds since 1970, so that
// the same commit makes the same pages.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"

	"treesplit/cli"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("expected one argument, the directory for the pages"))
	}
	if err := writePages(os.Args[1], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "manual:", err)
	os.Exit(2)
}

// writePages writes the pages into an existing directory.
func writePages(dir, epoch string) error {
	date := time.Unix(0, 0)
	if epoch != "" {
		s, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		date = time.Unix(s, 0)
	}
	return writePage(cli.Command(), dir, date.UTC().Format("Jan 2006"))
}

// writePage writes the pages of a command and of the commands below it.
func writePage(cmd *cobra.Command, dir, date string) error {
	text := md2man.Render([]byte(formatPage(cmd, date)))
	if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), text, 0o644); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := writePage(sub, dir, date); err != nil {
			return err
		}
	}
	return nil
}
