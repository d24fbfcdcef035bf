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

// printTable prints rows of two columns under a heading. The right column is wrapped; a left
// entry that is too long stands on a line of its own.
func (p *printer) printTable(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
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
	fmt.Fprintf(p.out, "\n%s:\n", strings.TrimSuffix(title, ":"))
	for _, row := range rows {
		head := "  " + row[0]
		if n := utf8.RuneCountInString(head); n+2 <= indent {
			head += strings.Repeat(" ", indent-n)
		} else {
			head += "\n" + strings.Repeat(" ", indent)
		}
		lines := wrap(row[1], max(p.width-indent, minRight))
		fmt.Fprintln(p.out, strings.TrimRight(head+strings.Join(lines, "\n"+strings.Repeat(" ", indent)), " "))
	}
}

// printWrapped prints paragraphs, wrapped. Lines that begin with a blank are printed as they are.
func (p *printer) printWrapped(text string) {
	var paragraph []string
	flush := func() {
		for _, line := range wrap(strings.Join(paragraph, " "), p.width) {
			fmt.Fprintln(p.out, line)
		}
		paragraph = paragraph[:0]
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			flush()
			fmt.Fprintln(p.out, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	flush()
}

// wrap breaks a text between words into lines of at most width runes. A longer word has a line of
// its own.
func wrap(text string, width int) (lines []string) {
	line, used := "", 0
	for _, word := range strings.Fields(text) {
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
