package cli

import (
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"treesplit/cli/internal/help"
)

// Help is printed by package help. This file has the parts that several commands share: groups of
// commands, exit statuses, and the width of the terminal.

// HelpPage is the content of the help of a command, from which manual pages are made.
type HelpPage = help.Page

// HelpTable is a table of a HelpPage.
type HelpTable = help.Table

// DescribeCommand returns the help of a command.
func DescribeCommand(cmd *cobra.Command) HelpPage { return help.Describe(cmd) }

// SplitHelp splits the text of a HelpPage into paragraphs, tables, and lines that are shown as
// they are.
func SplitHelp(text string) []help.Block { return help.SplitText(text) }

// The groups of commands. Commands without a group are listed under "More".
const (
	groupSearch  = "search"
	groupProofs  = "proofs"
	groupMeasure = "measure"
	groupPapers  = "papers"
)

// addGrouped adds commands to root as a group, in which help lists them in this order.
func addGrouped(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for i, cmd := range commands {
		cmd.GroupID = id
		help.SetOrder(cmd, i)
	}
	root.AddCommand(commands...)
}

// The widths of help: of output that is no terminal, and the limits for terminals.
const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 120
)

// helpWidth returns the width of standard output if it is a terminal, else the value of COLUMNS,
// else 80.
func (a *app) helpWidth() int {
	width := 0
	if out, ok := asFile(a.stdout); ok && term.IsTerminal(int(out.Fd())) {
		width, _, _ = term.GetSize(int(out.Fd()))
	}
	if width <= 0 {
		width, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if width <= 0 {
		return defaultWidth
	}
	return min(max(width, minWidth), maxWidth)
}

// Exit statuses that many commands have.
var (
	exitFailed  = help.Status{Code: statusFailed, Meaning: "failed; the error is on standard error"}
	exitInput   = help.Status{Code: statusInput, Meaning: "wrong usage or bad input"}
	exitStopped = help.Status{Code: statusStopped, Meaning: "stopped early, by --timeout or a signal"}
	exitSignal  = help.Status{Code: statusStopped, Meaning: "stopped early, by a signal"}
)

// setExit sets the exit statuses of a command: the meaning of 0, statuses 1 and 2 of all commands, and
// more.
func setExit(cmd *cobra.Command, done string, more ...help.Status) {
	all := append([]help.Status{{Code: statusDone, Meaning: done}, exitFailed, exitInput}, more...)
	slices.SortStableFunc(all, func(a, b help.Status) int { return a.Code - b.Code })
	help.SetExit(cmd, all...)
}

// Files that the manual pages of several commands name.
var (
	fileCheckpoint = [2]string{"FILE of --checkpoint", "the saved search; an old one stays until the new one is complete"}
	fileTrace      = [2]string{"FILE of --trace", "a trace in Chrome's JSON format, compressed if the name ends in .gz or .zst"}
	fileProgress   = [2]string{"FILE of --progress-file", "one JSON object per line; it grows during the run"}
	fileMachine    = [2]string{"machine file", "YAML, with the costs of a machine; see treesplit help machines"}
)

// setSearchFiles sets the files of a search command, after files of its own.
func setSearchFiles(cmd *cobra.Command, own ...[2]string) {
	files := slices.Clone(own)
	for flag, file := range map[string][2]string{"checkpoint": fileCheckpoint, "trace": fileTrace, "progress-file": fileProgress, "machine": fileMachine} {
		if cmd.Flags().Lookup(flag) != nil {
			files = append(files, file)
		}
	}
	slices.SortStableFunc(files[len(own):], func(a, b [2]string) int {
		if a[0] < b[0] {
			return -1
		}
		return 1
	})
	help.SetFiles(cmd, files...)
}
