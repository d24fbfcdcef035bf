// Package scenario runs scripts: text files with commands and the output that each command is
// expected to print, in the manner of etcd/raft's testdata and of cockroachdb/datadriven. A script
// shows on a page how a protocol behaves, and a test compares it with the protocol. The package is
// for tests.
//
// A script looks like this:
//
//	# Comments tell the reader what to look at.
//	deliver 1>0
//	----
//	0 receives WorkRequest from 1
//	  0→1 Reject
//
// A command is one line. Below it stands "----", then the output, then an empty line. With the flag
// -rewrite a test replaces the outputs by those of the current code, and keeps everything else.
package scenario

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected outputs of scenario scripts")

// Do executes a command, given as its words, and returns the lines that it prints. Lines are not
// empty. An error means that the script is wrong.
type Do func(words []string) (lines []string, err error)

// Run runs every script of a directory as a subtest. fresh makes what executes the commands of one
// script.
func Run(t *testing.T, dir string, fresh func() Do) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s (%v)", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !*rewrite {
				if err := compareScript(string(text), fresh()); err != nil {
					t.Fatalf("%s:%v", filepath.ToSlash(file), err)
				}
				return
			}
			after, err := rewriteScript(string(text), fresh())
			if err != nil {
				t.Errorf("%s:%v", filepath.ToSlash(file), err)
			}
			if err := os.WriteFile(file, []byte(after), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// rule separates a command from its output.
const rule = "----"

// block is a command of a script with what stands around it.
type block struct {
	before   []string // comments and empty lines above the command
	line     int      // of the command, from 1
	command  string   // empty: the script ends with the lines of before
	ruled    bool     // the rule is there
	expected []string
}

// parseScript splits a script into blocks. The last one has no command.
func parseScript(text string) (blocks []block) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var b block
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t")
		if line == "" || strings.HasPrefix(line, "#") {
			b.before = append(b.before, line)
			continue
		}
		b.line, b.command = i+1, line
		if i+1 < len(lines) && strings.TrimRight(lines[i+1], " \t") == rule {
			b.ruled = true
			for i += 2; i < len(lines) && lines[i] != ""; i++ {
				b.expected = append(b.expected, lines[i])
			}
		}
		if !b.ruled && i+1 < len(lines) && lines[i+1] == "" {
			i++ // the empty line that will end the output
		}
		blocks = append(blocks, b)
		b = block{}
	}
	return append(blocks, b)
}

// executeCommand executes the command of a block. Its errors begin with the line.
func (b block) executeCommand(do Do) ([]string, error) {
	got, err := do(strings.Fields(b.command))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%d: %s: %w", b.line, b.command, err)
	case slices.Contains(got, ""):
		return nil, fmt.Errorf("%d: %s: prints an empty line, which ends an output", b.line, b.command)
	}
	return got, nil
}

// compareScript executes a script and returns an error about the first line that differs.
func compareScript(text string, do Do) error {
	for _, b := range parseScript(text) {
		if b.command == "" {
			break
		}
		got, err := b.executeCommand(do)
		if err != nil {
			return err
		}
		if !b.ruled {
			return fmt.Errorf("%d: no %s below the command (-rewrite adds it and the output)", b.line, rule)
		}
		if i := firstDifference(b.expected, got); i >= 0 {
			return fmt.Errorf("%d: %s: the output differs here\nexpected: %s\n     got: %s\nall of the output:\n\t%s\n(-rewrite replaces the expected outputs)",
				b.line+2+i, b.command, lineOrEnd(b.expected, i), lineOrEnd(got, i), strings.Join(got, "\n\t"))
		}
	}
	return nil
}

// firstDifference returns the index of the first line that differs, or −1.
func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// lineOrEnd returns a line for a message about a difference.
func lineOrEnd(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no more lines)"
}

// rewriteScript executes a script and returns it with the outputs that it prints. From a command that
// fails on it returns the script as it is.
func rewriteScript(text string, do Do) (string, error) {
	var (
		after  []string
		failed error
	)
	for _, b := range parseScript(text) {
		after = append(after, b.before...)
		if b.command == "" {
			break
		}
		got := b.expected
		if failed == nil {
			if got, failed = b.executeCommand(do); failed != nil {
				got = b.expected
			}
		}
		after = append(after, b.command, rule)
		after = append(append(after, got...), "")
	}
	return strings.TrimRight(strings.Join(after, "\n"), "\n") + "\n", failed
}
