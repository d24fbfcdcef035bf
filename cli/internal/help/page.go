package help

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Table is a list of rows of two columns under a title.
type Table struct {
	Title string
	Rows  [][2]string
}

// A Page is the content of the help of a command. Manual pages are made from it.
type Page struct {
	Usage    string
	Text     string // paragraphs; in rows of a table a tab follows the left column
	Flags    []Table
	Commands []Table
	Examples string
	Exit     Table
	Files    Table
}

// Describe returns the help of a command.
func Describe(cmd *cobra.Command) Page {
	return Page{
		Usage: describeUsage(cmd), Text: describeText(cmd), Flags: describeFlags(cmd), Commands: describeCommands(cmd),
		Examples: cmd.Example, Exit: readTable(cmd, "Exit status", exitKey), Files: readTable(cmd, "Files", filesKey),
	}
}

// describeUsage returns the form of the command line.
func describeUsage(cmd *cobra.Command) string {
	use := cmd.UseLine()
	if len(cmd.Commands()) > 0 && !strings.Contains(use, placeholder(cmd)) {
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return use
}

// placeholder returns the noun for the commands below a command.
func placeholder(cmd *cobra.Command) string {
	if words := strings.Fields(cmd.Use); len(words) > 1 && words[1] == strings.ToUpper(words[1]) {
		return words[1]
	}
	return "COMMAND"
}

// describeText returns the description of a command.
func describeText(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Name() + ": " + lowerFirst(cmd.Short) + "."
}

// describeFlags returns the flags of a command in their groups, or in one table if no flag has a group.
func describeFlags(cmd *cobra.Command) (tables []Table) {
	all := collectFlags(cmd, func(*pflag.Flag) bool { return true })
	if !slices.ContainsFunc(all, func(f *pflag.Flag) bool { return f.Annotations[groupKey] != nil }) {
		return appendTable(nil, flagTable("Flags", all))
	}
	for _, g := range groups {
		tables = appendTable(tables, flagTable(string(g), collectFlags(cmd, func(f *pflag.Flag) bool { return GroupOf(f) == g })))
	}
	return tables
}

// flagTable returns a table of flags.
func flagTable(title string, flags []*pflag.Flag) Table {
	t := Table{Title: title}
	for _, f := range flags {
		t.Rows = append(t.Rows, [2]string{describeForm(f), describeUse(f)})
	}
	return t
}

// describeCommands returns the commands below a command, in their groups.
func describeCommands(cmd *cobra.Command) (tables []Table) {
	add := func(title string, fits func(*cobra.Command) bool) {
		t := Table{Title: title}
		for _, sub := range sortCommands(cmd.Commands()) {
			if (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() || sub.Name() == "help") && fits(sub) {
				t.Rows = append(t.Rows, [2]string{sub.Name(), sub.Short})
			}
		}
		tables = appendTable(tables, t)
	}
	for _, g := range cmd.Groups() {
		add(g.Title, func(c *cobra.Command) bool { return c.GroupID == g.ID })
	}
	title := "Commands"
	if len(cmd.Groups()) > 0 {
		title = "More"
	}
	add(title, func(c *cobra.Command) bool { return c.GroupID == "" && !c.IsAdditionalHelpTopicCommand() })
	add("Topics", func(c *cobra.Command) bool { return c.GroupID == "" && c.IsAdditionalHelpTopicCommand() })
	return tables
}

// sortCommands returns commands in the order of their places.
func sortCommands(commands []*cobra.Command) []*cobra.Command {
	place := func(cmd *cobra.Command) int {
		n, _ := strconv.Atoi(cmd.Annotations[orderKey]) // 0 without a place
		return n
	}
	return slices.SortedStableFunc(slices.Values(commands), func(a, b *cobra.Command) int { return place(a) - place(b) })
}

// appendTable appends a table unless it has no rows.
func appendTable(tables []Table, t Table) []Table {
	if len(t.Rows) == 0 {
		return tables
	}
	return append(tables, t)
}

// readTable returns the table that an annotation of a command holds.
func readTable(cmd *cobra.Command, title, key string) Table {
	t := Table{Title: title}
	for line := range strings.Lines(cmd.Annotations[key]) {
		left, right, _ := strings.Cut(strings.TrimSpace(line), "\t")
		t.Rows = append(t.Rows, [2]string{left, right})
	}
	return t
}

// lowerFirst returns a text with its first letter in lower case.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
