package help_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
)

// program returns a command with a command below it, and prints help at a width.
func program(width int) (root *cobra.Command, out *bytes.Buffer) {
	root = &cobra.Command{Use: "prog", Long: "Prog does many things.\n\n  a line that stays as long as it is, whatever the width of the terminal may be"}
	root.AddGroup(&cobra.Group{ID: "search", Title: "Search"})
	sub := &cobra.Command{Use: "count FILE", Short: "Count the lines of a file", Long: strings.Repeat("Many words are wrapped. ", 20), GroupID: "search", Example: "  prog count x", RunE: func(*cobra.Command, []string) error { return nil }}
	sub.Flags().SortFlags = false
	sub.Flags().IntP("ranks", "n", 2, "number of ranks")
	sub.Flags().String("rule", "auto", "search `rule`, one of several with long names that need more than one line of a terminal")
	sub.Flags().String("a-very-long-name-of-a-flag", "", "write a `file`")
	sub.Flags().Bool("hidden", false, "hidden")
	_ = sub.Flags().MarkHidden("hidden")
	help.SetGroup(sub.Flags(), help.Ranks, "ranks")
	help.SetGroup(sub.Flags(), help.Output, "a-very-long-name-of-a-flag")
	help.SetCommon(sub.Flags(), "rule")
	help.SetExit(sub, help.Status{Code: 0, Meaning: "done"}, help.Status{Code: 2, Meaning: "bad input"})
	root.AddCommand(sub, &cobra.Command{Use: "schemes", Short: "The schemes", Long: "All schemes."})
	out = new(bytes.Buffer)
	root.SetOut(out)
	help.Install(root, func() int { return width })
	return root, out
}

func execute(t *testing.T, width int, args ...string) string {
	t.Helper()
	root, out := program(width)
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFlagsAreGrouped(t *testing.T) {
	text := execute(t, 80, "count", "--help")
	last := -1
	for _, want := range []string{"Usage:\n  prog count FILE [flags]", "\nProblem:\n", "    --rule RULE", "(default auto)", "\nRanks and scheme:\n", "-n, --ranks N", "(default 2)", "\nOutput:\n", "    --a-very-long-name-of-a-flag FILE\n", "-h, --help", "\nExamples:\n  prog count x", "\nExit status:\n  0  done\n  2  bad input\n"} {
		at := strings.Index(text, want)
		if at < 0 || at < last {
			t.Errorf("%q at %d, after %d, in\n%s", want, at, last, text)
		}
		last = at
	}
	if strings.Contains(text, "hidden") {
		t.Errorf("a hidden flag is listed:\n%s", text)
	}
}

func TestShortHelpListsCommonFlags(t *testing.T) {
	text := execute(t, 80, "count", "-h")
	for _, want := range []string{"prog count: count the lines of a file.", "--rule RULE", "prog count --help"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "--ranks") || strings.Contains(text, "Many words") {
		t.Errorf("short help has more than the common flags:\n%s", text)
	}
}

func TestCommandsAndTopics(t *testing.T) {
	text := execute(t, 80, "--help")
	for _, want := range []string{"\nSearch:\n  count", "\nTopics:\n  schemes", "a line that stays as long as it is, whatever the width of the terminal may be\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := execute(t, 80, "help", "schemes"); got != "All schemes.\n" {
		t.Errorf("topic: %q", got)
	}
}

// TestWidth: no line is longer than the width of the terminal, at any width, and no word is
// missing.
func TestWidth(t *testing.T) {
	words := strings.Fields(execute(t, 1000, "count", "--help"))
	for _, width := range []int{40, 60, 80, 120} {
		text := execute(t, width, "count", "--help")
		for line := range strings.SplitSeq(text, "\n") {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
		if got := strings.Fields(text); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Errorf("width %d: other words:\n%s", width, text)
		}
	}
}

// TestRows: lines with a tab are rows of a table, whose right column is wrapped.
func TestRows(t *testing.T) {
	var out bytes.Buffer
	root := &cobra.Command{Use: "prog"}
	topic := &cobra.Command{Use: "topic", Short: "A topic", Long: "Words:\n\n  long\ta text that is longer than one line of forty columns\n  x\tshort\n\nEnd."}
	root.AddCommand(topic)
	root.SetOut(&out)
	help.Install(root, func() int { return 40 })
	for _, args := range [][]string{{"help", "topic"}, {"topic", "-h"}} {
		out.Reset()
		root.SetArgs(args)
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		if want := "Words:\n\n  long  a text that is longer than one\n        line of forty columns\n  x     short\n\nEnd.\n"; out.String() != want {
			t.Errorf("%v: %q, want %q", args, &out, want)
		}
	}
}

// TestLists: a list that is longer than a line is broken after commas.
func TestLists(t *testing.T) {
	var out bytes.Buffer
	root := &cobra.Command{Use: "prog", Long: "Numbers: 1,2,4,8,16,32,64,128,256,512,1024,2048,4096 are powers."}
	root.SetOut(&out)
	help.Install(root, func() int { return 40 })
	_ = root.Help()
	if want := "Numbers:\n1,2,4,8,16,32,64,128,256,512,1024,2048,\n4096 are powers.\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("%q", &out)
	}
}

// TestDescribe: a page has all parts of the help, and the files.
func TestDescribe(t *testing.T) {
	root, _ := program(80)
	sub := root.Commands()[0]
	help.SetFiles(sub, [2]string{"FILE", "lines"})
	page := help.Describe(sub)
	if page.Usage != "prog count FILE [flags]" || len(page.Flags) != 3 || page.Files.Rows[0] != [2]string{"FILE", "lines"} || page.Exit.Rows[1] != [2]string{"2", "bad input"} {
		t.Errorf("%+v", page)
	}
}

// TestSetOrder: help lists commands in their order, others in alphabetical order.
func TestSetOrder(t *testing.T) {
	root := &cobra.Command{Use: "prog"}
	for i, name := range []string{"z", "a", "b"} {
		sub := &cobra.Command{Use: name, Short: name, Run: func(*cobra.Command, []string) {}}
		if i == 1 {
			help.SetOrder(sub, 1)
		}
		root.AddCommand(sub)
	}
	if rows := help.Describe(root).Commands[0].Rows; rows[0][0] != "b" || rows[1][0] != "z" || rows[2][0] != "a" {
		t.Errorf("%v", rows)
	}
}

// TestSetRest: flags keep the group that they have.
func TestSetRest(t *testing.T) {
	root, _ := program(80)
	flags := root.Commands()[0].Flags()
	help.SetRest(flags, help.Expert)
	if g := help.GroupOf(flags.Lookup("ranks")); g != help.Ranks {
		t.Errorf("ranks is in %s", g)
	}
	if f := flags.Lookup("rule"); help.GroupOf(f) != help.Expert || !help.HasGroup(f) {
		t.Errorf("rule is in %s", help.GroupOf(f))
	}
}
