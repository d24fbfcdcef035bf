// Package help prints the help of commands: flags in named groups, wrapped to the width of the
// terminal. With -h it prints the most frequently used flags, with --help all flags.
package help

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Group is the heading under which help lists a flag.
type Group string

// The groups, in the order in which help lists them. A flag without a call of SetGroup is in
// Problem. If no flag of the command has a group, the flags stand under the heading "Flags".
const (
	Problem Group = "Problem"
	Ranks   Group = "Ranks and scheme"
	Details Group = "Scheme details"
	Run     Group = "Run: time and checkpoints"
	Output  Group = "Output"
	Expert  Group = "Expert"
)

var groups = []Group{Problem, Ranks, Details, Run, Output, Expert}

// The keys of annotations.
const (
	groupKey  = "treesplit_group"
	commonKey = "treesplit_common"
	exitKey   = "treesplit_exit"
)

// SetGroup puts flags into a group. It panics if a flag does not exist.
func SetGroup(flags *pflag.FlagSet, g Group, names ...string) {
	for _, name := range names {
		annotate(flags, name, groupKey, string(g))
	}
}

// SetCommon marks flags that -h lists. It panics if a flag does not exist.
func SetCommon(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		annotate(flags, name, commonKey, "")
	}
}

// annotate adds an annotation to a flag.
func annotate(flags *pflag.FlagSet, name, key, value string) {
	if err := flags.SetAnnotation(name, key, []string{value}); err != nil {
		panic(err)
	}
}

// Status is an exit status and its meaning.
type Status struct {
	Code    int
	Meaning string
}

// SetExit sets the exit statuses at the end of the help of a command.
func SetExit(cmd *cobra.Command, statuses ...Status) {
	var b strings.Builder
	for _, s := range statuses {
		fmt.Fprintf(&b, "%d\t%s\n", s.Code, s.Meaning)
	}
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[exitKey] = b.String()
}

// ExitStatuses returns the exit statuses of a command: one line per status, with a tab between the
// status and its meaning. It returns "" if SetExit was not called.
func ExitStatuses(cmd *cobra.Command) string { return cmd.Annotations[exitKey] }

// Install makes this package print the help of root and of all its commands. width returns the
// number of columns of the terminal.
func Install(root *cobra.Command, width func() int) {
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		p := printer{out: cmd.OutOrStdout(), width: width()}
		if isShort(args) {
			p.printShort(cmd)
		} else {
			p.printAll(cmd)
		}
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		p := printer{out: cmd.OutOrStderr(), width: width()}
		p.printUsage(cmd)
		return nil
	})
}

// isShort reports whether a command line requests short help.
func isShort(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "-h")
}

// printer prints help.
type printer struct {
	out   io.Writer
	width int // columns, at least 1
}

// printShort prints the purpose of a command, its examples and its most frequently used flags.
func (p *printer) printShort(cmd *cobra.Command) {
	p.printWrapped(cmd.CommandPath() + ": " + lowerFirst(cmd.Short) + ".")
	p.printUsage(cmd)
	p.printExamples(cmd)
	p.printCommands(cmd)
	common := collectFlags(cmd, func(f *pflag.Flag) bool { return f.Annotations[commonKey] != nil })
	if len(common) == 0 {
		common = collectFlags(cmd, func(*pflag.Flag) bool { return true })
	}
	p.printFlags("Flags", common)
	fmt.Fprintf(p.out, "\n%s --help describes the command and lists all flags.\n", cmd.CommandPath())
}

// printAll prints everything about a command.
func (p *printer) printAll(cmd *cobra.Command) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	p.printWrapped(text)
	if cmd.IsAdditionalHelpTopicCommand() {
		return
	}
	p.printUsage(cmd)
	p.printExamples(cmd)
	p.printCommands(cmd)
	if !slices.ContainsFunc(collectFlags(cmd, func(*pflag.Flag) bool { return true }), func(f *pflag.Flag) bool { return f.Annotations[groupKey] != nil }) {
		p.printFlags("Flags", collectFlags(cmd, func(*pflag.Flag) bool { return true }))
	} else {
		for _, g := range groups {
			p.printFlags(string(g), collectFlags(cmd, func(f *pflag.Flag) bool { return GroupOf(f) == g }))
		}
	}
	p.printExit(cmd)
	if len(cmd.Commands()) > 0 {
		fmt.Fprintf(p.out, "\n%s COMMAND --help describes a command, and %s COMMAND -h lists the flags that people use most.\n", cmd.CommandPath(), cmd.CommandPath())
	}
}

// GroupOf returns the group of a flag.
func GroupOf(f *pflag.Flag) Group {
	switch g := f.Annotations[groupKey]; {
	case g != nil:
		return Group(g[0])
	case f.Name == "help" || f.Name == "version":
		return Output
	}
	return Problem
}

// collectFlags returns the flags of a command that are not hidden and that wants accepts, in the
// order in which they were defined.
func collectFlags(cmd *cobra.Command, wants func(*pflag.Flag) bool) (found []*pflag.Flag) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && wants(f) {
			found = append(found, f)
		}
	})
	return found
}

// printUsage prints the form of the command line.
func (p *printer) printUsage(cmd *cobra.Command) {
	use := cmd.UseLine()
	if len(cmd.Commands()) > 0 && !strings.Contains(use, "COMMAND") {
		use = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(p.out, "\nUsage:\n  %s\n", use)
}

// printExamples prints the examples unwrapped, so that lines can be copied.
func (p *printer) printExamples(cmd *cobra.Command) {
	if cmd.Example != "" {
		fmt.Fprintf(p.out, "\nExamples:\n%s\n", cmd.Example)
	}
}

// printCommands prints the commands below a command, in their groups.
func (p *printer) printCommands(cmd *cobra.Command) {
	var rows [][2]string
	print := func(title string, fits func(*cobra.Command) bool) {
		rows = rows[:0]
		for _, sub := range cmd.Commands() {
			if (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) && fits(sub) {
				rows = append(rows, [2]string{sub.Name(), sub.Short})
			}
		}
		p.printTable(title, rows)
	}
	for _, g := range cmd.Groups() {
		print(g.Title, func(c *cobra.Command) bool { return c.GroupID == g.ID })
	}
	title := "Commands"
	if len(cmd.Groups()) > 0 {
		title = "More"
	}
	print(title, func(c *cobra.Command) bool { return c.GroupID == "" && !c.IsAdditionalHelpTopicCommand() })
	print("Topics", func(c *cobra.Command) bool { return c.GroupID == "" && c.IsAdditionalHelpTopicCommand() })
}

// printFlags prints flags under a heading.
func (p *printer) printFlags(title string, flags []*pflag.Flag) {
	var rows [][2]string
	for _, f := range flags {
		rows = append(rows, [2]string{describeForm(f), describeUse(f)})
	}
	p.printTable(title, rows)
}

// printExit prints the exit statuses.
func (p *printer) printExit(cmd *cobra.Command) {
	var rows [][2]string
	for line := range strings.Lines(ExitStatuses(cmd)) {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), "\t")
		rows = append(rows, [2]string{code, meaning})
	}
	p.printTable("Exit status", rows)
}

// lowerFirst returns a text with its first letter in lower case.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
