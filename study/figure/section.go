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

// Section is the result of one experiment, for example a reproduced table or figure of a paper.
type Section struct {
	Name     string // on the command line and in the names of its files
	Title    string
	Text     []string // paragraphs: the runs, the statements of the paper, the differences
	Tables   []Table
	Figures  []Figure
	Pictures []Picture
}

// Table is a table of texts.
type Table struct {
	Name  string // of its CSV file
	Title string
	Head  []string
	Rows  [][]string
}

// Picture is a picture that was drawn elsewhere.
type Picture struct {
	Name string // of its SVG file
	SVG  []byte
}

// Figure is a picture of curves.
type Figure struct {
	Name   string // of its SVG file
	Title  string
	X, Y   string // labels
	LogX   bool
	LogY   bool
	Falls  bool // the curves fall, so that there is room for the legend on the right
	Curves []Curve
}

// Curve is a line through points; curves that a paper prints are dashed.
type Curve struct {
	Name  string
	X, Y  []float64
	Paper bool
}

// AppendRow adds a row.
func (t *Table) AppendRow(cells ...string) { t.Rows = append(t.Rows, cells) }

// columnWidths returns the widths of the columns, in characters.
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

// maskUnprintable replaces each character that a terminal obeys or does not show, except line ends,
// by a space.
func maskUnprintable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// WriteCSV writes the table. Spreadsheets read a cell that begins with one of = + - @ as a formula.
// Such a cell gets an apostrophe at its start, unless it is a number.
func (t *Table) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = defuseFormula(cell)
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// defuseFormula returns the cell in a form that no spreadsheet reads as a formula.
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
