package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli"
)

// A page is written in markdown, for md2man. Its tables are definition lists.

// pageName returns the name of the page of a command: treesplit-ring-tree.
func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

// formatPage returns the page of a command.
func formatPage(cmd *cobra.Command, date string) string {
	hideCores(cmd)
	help := cli.DescribeCommand(cmd)
	var b strings.Builder
	title := strings.ReplaceAll(strings.ToUpper(pageName(cmd)), "-", `\-`)
	fmt.Fprintf(&b, "%% \"%s\" \"1\" \"%s\" \"treesplit\" \"treesplit\"\n", title, date)
	fmt.Fprintf(&b, "# NAME\n%s - %s\n\n", pageName(cmd), escapeMarkdown(cmd.Short))
	if !cmd.IsAdditionalHelpTopicCommand() {
		fmt.Fprintf(&b, "# SYNOPSIS\n**%s**\n\n", escapeMarkdown(help.Usage))
	}
	b.WriteString("# DESCRIPTION\n" + formatText(help.Text))
	if cmd.IsAdditionalHelpTopicCommand() {
		return b.String() + seeAlso(cmd)
	}
	b.WriteString(formatTables("COMMANDS", help.Commands) + formatTables("OPTIONS", help.Flags))
	b.WriteString(formatTables("EXIT STATUS", []cli.HelpTable{help.Exit}) + formatTables("FILES", []cli.HelpTable{help.Files}))
	if help.Examples != "" {
		b.WriteString("# EXAMPLES\n\n```\n" + help.Examples + "\n```\n\n")
	}
	return b.String() + seeAlso(cmd)
}

// hideCores replaces defaults that are the number of cores of this machine.
func hideCores(cmd *cobra.Command) {
	for _, name := range []string{"ranks", "workers"} {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == name && f.Value.Type() == "int" {
				f.DefValue = "the number of cores"
			}
		})
	}
}

// formatTables returns a section with tables. Several tables have a heading each.
func formatTables(section string, tables []cli.HelpTable) string {
	var b strings.Builder
	for _, t := range tables {
		if len(t.Rows) == 0 {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("# " + section + "\n\n")
		}
		if len(tables) > 1 {
			b.WriteString("### " + t.Title + "\n\n")
		}
		b.WriteString(formatRows(t.Rows))
	}
	return b.String()
}

// formatRows returns rows as a definition list.
func formatRows(rows [][2]string) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "**%s**\n: %s\n\n", escapeMarkdown(strings.TrimSpace(row[0])), escapeMarkdown(row[1]))
	}
	return b.String()
}

// formatText returns a text of paragraphs, tables, and lines that stay as they are.
func formatText(text string) string {
	var b strings.Builder
	for _, block := range cli.SplitHelp(text) {
		switch {
		case block.Rows != nil:
			b.WriteString(formatRows(block.Rows))
		case block.Verbatim && block.Text != "":
			b.WriteString("    " + block.Text + "\n") // code
		default:
			b.WriteString(escapeMarkdown(block.Text) + "\n")
		}
	}
	return b.String() + "\n"
}

// seeAlso returns the section with the pages above and below a command.
func seeAlso(cmd *cobra.Command) string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, pageName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		pages = append(pages, pageName(sub))
	}
	slices.Sort(pages)
	for i, name := range pages {
		pages[i] = "**" + name + "**(1)"
	}
	return "# SEE ALSO\n" + strings.Join(pages, ", ") + "\n"
}

// escapeMarkdown keeps markdown's signs as they are.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "|", `\|`, "`", "\\`", "[", `\[`, "]", `\]`).Replace(text)
}
