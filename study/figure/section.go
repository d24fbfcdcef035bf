package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Section is what one experiment has to say, for example a table or figure of a paper,
// reproduced.
type Section struct {
	Name     string // as on the command line, and of its files
	Title    string
	Text     []string // paragraphs: what was run, what the paper says, where they part
	Verdicts []Verdict
	Tables   []Table
	Figures  []Figure
	Pictures []Picture
	Pages    []Attachment
}

// Attachment is a page of its own, which the section's page links.
type Attachment struct {
	Name  string                  // of its file
	Text  string                  // of the link
	Write func(w io.Writer) error `json:"-"`
}

// Verdict is a claim of a paper and the finding.
type Verdict struct {
	Code    string // of the claim in the documents
	Claim   string // in words
	Finding string // in words: the verdict, then the measurements
}

// Table is a table of text.
type Table struct {
	Name   string // of its CSV file
	Title  string
	Head   []string
	Rows   [][]string
	Long   *Long   `json:",omitempty"` // its CSV file, if not made of the rows
	Spread *Spread `json:",omitempty"` // what the columns have in common; nil: nothing
}

// Picture is one that was drawn elsewhere.
type Picture struct {
	Name string // of its SVG file
	SVG  []byte
}

// AppendRow adds a row.
func (t *Table) AppendRow(cells ...string) { t.Rows = append(t.Rows, cells) }

// columnWidths are the widths of the columns, in characters.
func (t *Table) columnWidths() []int {
	w := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			w[i] = max(w[i], utf8.RuneCountInString(cell))
		}
	}
	return w
}

// PrintText writes the table as text, columns aligned to the right.
func (t *Table) PrintText(out io.Writer) {
	w := t.columnWidths()
	fmt.Fprintf(out, "%s\n", maskUnprintable(t.Title))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString("  " + strings.Repeat(" ", w[i]-utf8.RuneCountInString(cell)) + maskUnprintable(cell))
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
	fmt.Fprintln(out)
}

// maskUnprintable replaces characters that a terminal obeys or does not show, except line ends, by one
// space each.
func maskUnprintable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// None stands in a table where nothing was measured.
const None = "–"

// writeCells writes rows as CSV.
func writeCells(out io.Writer, rows [][]string) error {
	w := csv.NewWriter(out)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cell != None {
				cells[i] = defuseFormula(cell)
			}
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// defuseFormula is a cell that no spreadsheet takes for a formula.
func defuseFormula(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// PrintText writes the section as text.
func (s *Section) PrintText(out io.Writer) {
	fmt.Fprintf(out, "== %s ==\n\n", maskUnprintable(s.Title))
	for _, t := range s.Tables {
		t.PrintText(out)
	}
	for _, p := range s.Text {
		fmt.Fprintf(out, "%s\n\n", maskUnprintable(wrapParagraph(p, 92)))
	}
}

// wrapParagraph breaks a paragraph into lines.
func wrapParagraph(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
