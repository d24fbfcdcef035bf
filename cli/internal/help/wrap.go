package help

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The columns of a table: the left one is at most maxLeft wide, the right one at least minRight.
const (
	maxLeft  = 28
	minRight = 24
)

// printTables prints tables with their titles.
func (p *printer) printTables(tables ...Table) {
	for _, t := range tables {
		if len(t.Rows) > 0 {
			fmt.Fprintf(p.out, "\n%s:\n", strings.TrimSuffix(t.Title, ":"))
			p.printRows(t.Rows)
		}
	}
}

// printRows prints rows of two columns. The right column is wrapped; a left entry that is too long
// stands on a line of its own.
func (p *printer) printRows(rows [][2]string) {
	left := 0
	for _, row := range rows {
		if n := utf8.RuneCountInString(row[0]); n <= maxLeft {
			left = max(left, n)
		}
	}
	indent := 2 + left + 2
	if p.width-indent < minRight {
		indent = 6
	}
	for _, row := range rows {
		head := "  " + row[0]
		if n := utf8.RuneCountInString(head); n+2 <= indent {
			head += strings.Repeat(" ", indent-n)
		} else {
			head += "\n" + strings.Repeat(" ", indent)
		}
		lines := wrap(row[1], max(p.width-indent, minRight))
		fmt.Fprintln(p.out, strings.TrimRight(head+strings.Join(lines, "\n"+strings.Repeat(" ", indent)), " \n"))
	}
}

// printUsage prints the form of the command line. Its second line is indented further.
func (p *printer) printUsage(use string) {
	lines := wrap(use, max(p.width-6, minRight))
	fmt.Fprintf(p.out, "\nUsage:\n  %s\n", strings.Join(lines, "\n      "))
}

// printExamples prints the examples as they are: lines to be copied are not wrapped.
func (p *printer) printExamples(examples string) {
	if examples != "" {
		fmt.Fprintf(p.out, "\nExamples:\n%s\n", examples)
	}
}

// printHint prints a last paragraph.
func (p *printer) printHint(text string) {
	fmt.Fprintln(p.out)
	p.printWrapped(text)
}

// printWrapped prints paragraphs, wrapped. Lines with a tab are rows of a table: the tab follows
// the left column. Other lines that begin with a blank are printed as they are.
func (p *printer) printWrapped(text string) {
	for _, b := range SplitText(text) {
		switch {
		case b.Rows != nil:
			p.printRows(b.Rows)
		case b.Verbatim:
			fmt.Fprintln(p.out, b.Text)
		default:
			fmt.Fprintln(p.out, strings.Join(wrap(b.Text, p.width), "\n"))
		}
	}
}

// A Block is a part of a text: a paragraph, a line that is printed as it is, or rows of a table.
type Block struct {
	Text     string
	Verbatim bool
	Rows     [][2]string
}

// SplitText splits a text into blocks. Empty lines are verbatim.
func SplitText(text string) (blocks []Block) {
	open := false // the last block is a paragraph that continues
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		left, right, isRow := strings.Cut(line, "\t")
		last := len(blocks) - 1
		switch {
		case isRow && left != "" && last >= 0 && blocks[last].Rows != nil:
			blocks[last].Rows = append(blocks[last].Rows, [2]string{strings.TrimSpace(left), right})
		case isRow && left != "":
			blocks = append(blocks, Block{Rows: [][2]string{{strings.TrimSpace(left), right}}})
		case line == "" || strings.HasPrefix(line, " ") || isRow:
			blocks = append(blocks, Block{Text: line, Verbatim: true})
		case open:
			blocks[last].Text += " " + line
		default:
			blocks = append(blocks, Block{Text: line})
		}
		open = line != "" && !strings.HasPrefix(line, " ") && !isRow
	}
	return blocks
}

// breakList breaks a list without blanks after its commas into parts of at most width runes, each
// but the last with a comma at its end.
func breakList(word string, width int) (parts []string) {
	for utf8.RuneCountInString(word) > width {
		at := strings.LastIndexByte(word[:min(width, len(word))], ',')
		if at < 0 {
			break
		}
		parts, word = append(parts, word[:at+1]), word[at+1:]
	}
	return append(parts, word)
}

// wrap breaks a text between words into lines of at most width runes. A longer word has a line of
// its own, unless it is a list.
func wrap(text string, width int) (lines []string) {
	line, used := "", 0
	var words []string
	for _, word := range strings.Fields(text) {
		words = append(words, breakList(word, width)...)
	}
	for _, word := range words {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n > width {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}
