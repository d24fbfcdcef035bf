// Manual writes the manual pages, one per verb, from the texts of --help:
//
//	go run ./scripts/manual DIR
//
// It is a separate program for releases, so that no program that searches links the code that
// formats pages. The date of the pages is SOURCE_DATE_EPOCH, in seconds since 1970, so that the
// same commit gives the same pages.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"treesplit/cli"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("expected one argument, the directory for the pages"))
	}
	if err := write(os.Args[1], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "manual:", err)
	os.Exit(2)
}

// write writes the pages into an existing directory.
func write(dir, epoch string) error {
	date := time.Unix(0, 0)
	if epoch != "" {
		s, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		date = time.Unix(s, 0)
	}
	date = date.UTC()
	root := cli.Command()
	prepare(root)
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "treesplit", Manual: "treesplit", Date: &date}, dir)
}

// prepare adapts the help to the generator. The generator reads texts as markdown, in which the
// lines of a list would run together, and prints defaults that depend on this machine.
func prepare(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	cmd.Long = preserved(cmd.Long)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "ranks" && f.Value.Type() == "int" {
			f.DefValue = "the cores"
		}
		f.Usage = escaped(f.Usage)
	})
	for _, sub := range cmd.Commands() {
		prepare(sub)
	}
}

// preserved turns lines that begin with a blank, such as lines of lists and tables, into code.
func preserved(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") {
			b.WriteString("    " + line)
			continue
		}
		b.WriteString(escaped(line))
	}
	return b.String()
}

// escaped escapes the special characters of markdown.
func escaped(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "|", `\|`).Replace(text)
}
