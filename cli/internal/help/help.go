// Package help prints the help of commands: flags in named groups, wrapped to the width of the
// terminal. With -h it prints the flags that people use most, with --help all of them.
package help

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Group is the heading under which help lists a flag.
type Group string

// The groups, in the order in which help lists them. A flag that SetGroup was not called for is
// in Problem, or, if no flag of the command has a group, under the heading "Flags".
const (
	Problem Group = "Problem"
	Ranks   Group = "Ranks and scheme"
	Details Group = "Scheme details"
	// Emulation has the flags that emulate processors and networks.
	Emulation Group = "Emulated processors"
	Run       Group = "Run: time and checkpoints"
	Output    Group = "Output"
	Expert    Group = "Expert"
)

var groups = []Group{Problem, Ranks, Details, Emulation, Run, Output, Expert}

// The keys of annotations.
const (
	groupKey  = "treesplit_group"
	commonKey = "treesplit_common"
	exitKey   = "treesplit_exit"
	filesKey  = "treesplit_files"
	orderKey  = "treesplit_order"
)

// SetGroup puts flags into a group. It panics if a flag does not exist.
func SetGroup(flags *pflag.FlagSet, g Group, names ...string) {
	for _, name := range names {
		annotate(flags, name, groupKey, string(g))
	}
}

// SetRest puts all flags that have no group yet into a group. A command calls it after the
// definition of each group of flags.
func SetRest(flags *pflag.FlagSet, g Group) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[groupKey] == nil {
			annotate(flags, f.Name, groupKey, string(g))
		}
	})
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

// SetExit sets the exit statuses that the help of a command ends with.
func SetExit(cmd *cobra.Command, statuses ...Status) {
	var b strings.Builder
	for _, s := range statuses {
		fmt.Fprintf(&b, "%d\t%s\n", s.Code, s.Meaning)
	}
	annotateCommand(cmd, exitKey, b.String())
}

// SetFiles sets the files that the manual page of a command lists: a name, and what the file holds.
func SetFiles(cmd *cobra.Command, files ...[2]string) {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s\t%s\n", f[0], f[1])
	}
	annotateCommand(cmd, filesKey, b.String())
}

// SetOrder sets the place of a command among the commands of its group. Commands without a place
// are at the first place, in alphabetical order.
func SetOrder(cmd *cobra.Command, place int) {
	annotateCommand(cmd, orderKey, strconv.Itoa(place))
}

// annotateCommand adds an annotation to a command.
func annotateCommand(cmd *cobra.Command, key, value string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] = value
}

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
		p.printUsage(describeUsage(cmd))
		return nil
	})
}

// isShort reports whether a command line asks for short help.
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

// printShort prints what a command does, the flags that people use, and examples.
func (p *printer) printShort(cmd *cobra.Command) {
	if cmd.IsAdditionalHelpTopicCommand() {
		p.printAll(cmd)
		return
	}
	p.printWrapped(cmd.CommandPath() + ": " + lowerFirst(cmd.Short) + ".")
	p.printUsage(describeUsage(cmd))
	p.printTables(describeCommands(cmd)...)
	common := collectFlags(cmd, func(f *pflag.Flag) bool { return f.Annotations[commonKey] != nil })
	if len(common) == 0 {
		common = collectFlags(cmd, func(*pflag.Flag) bool { return true })
	}
	p.printTables(flagTable("Flags", common))
	p.printExamples(cmd.Example)
	p.printHint(cmd.CommandPath() + " --help describes the command and lists all flags.")
}

// printAll prints everything about a command.
func (p *printer) printAll(cmd *cobra.Command) {
	page := Describe(cmd)
	p.printWrapped(page.Text)
	if cmd.IsAdditionalHelpTopicCommand() {
		return
	}
	p.printUsage(page.Usage)
	p.printTables(page.Commands...)
	p.printTables(page.Flags...)
	p.printExamples(page.Examples)
	p.printTables(page.Exit)
	if len(cmd.Commands()) > 0 {
		path, noun := cmd.CommandPath(), placeholder(cmd)
		hint := fmt.Sprintf("%s %s --help describes a %s; -h lists only the flags that people use most.", path, noun, strings.ToLower(noun))
		if cmd.HasHelpSubCommands() {
			hint += fmt.Sprintf(" %s help TOPIC describes a topic.", path)
		}
		p.printHint(hint)
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

// HasGroup reports whether a flag was put into a group.
func HasGroup(f *pflag.Flag) bool { return f.Annotations[groupKey] != nil }

// collectFlags returns the flags of a command that are not hidden and that a function accepts, in
// the order in which they were defined.
func collectFlags(cmd *cobra.Command, accepts func(*pflag.Flag) bool) (found []*pflag.Flag) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && accepts(f) {
			found = append(found, f)
		}
	})
	return found
}
