package figure

import (
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Long is a table in long form, for programs: one observation per row, one quantity per column. Its
// numbers are plain: shares are fractions, and an empty cell stands for a missing number.
type Long struct {
	Head []string
	Rows [][]string
}

// AppendRow adds a row. Numbers are written with all their digits, a nil cell is missing.
func (l *Long) AppendRow(cells ...any) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		switch cell := cell.(type) {
		case string:
			row[i] = cell
		case int:
			row[i] = strconv.Itoa(cell)
		case int64:
			row[i] = strconv.FormatInt(cell, 10)
		case float64:
			row[i] = strconv.FormatFloat(cell, 'g', -1, 64)
		}
	}
	l.Rows = append(l.Rows, row)
}

// Spread describes a table with one column for each value of a variable, from column Keys on.
type Spread struct {
	Keys            int // number of columns before the columns of the variable
	Variable, Value string
}

// LongForm returns the table in long form: Long if there is one, else the rows of the table, with one
// row for each value of a variable that is spread over columns.
func (t *Table) LongForm() *Long {
	if t.Long != nil {
		return t.Long
	}
	long := &Long{Head: uniqueHead(t.Head), Rows: slices.Clone(t.Rows)}
	if t.Spread != nil {
		long = long.gather(*t.Spread)
	}
	for i, row := range long.Rows { // a row may lack its last cells
		long.Rows[i] = slices.Concat(row, make([]string, max(len(long.Head)-len(row), 0)))
	}
	for column := len(long.Head) - 1; column >= 0; column-- {
		long.cleanColumn(column)
	}
	return long
}

// gather writes the columns of a variable below each other.
func (l *Long) gather(s Spread) *Long {
	out := &Long{Head: append(slices.Clone(l.Head[:s.Keys]), s.Variable, s.Value)}
	for _, row := range l.Rows {
		for i := s.Keys; i < len(row); i++ {
			out.Rows = append(out.Rows, append(slices.Clone(row[:s.Keys]), strings.TrimPrefix(l.Head[i], s.Variable+" = "), row[i]))
		}
	}
	return out
}

// uniqueHead returns headings of which none occurs twice: a repeated heading gets the last heading in
// front that occurs once.
func uniqueHead(head []string) []string {
	count := map[string]int{}
	for _, h := range head {
		count[h]++
	}
	unique, group, seen := slices.Clone(head), "", map[string]bool{}
	for i, h := range head {
		if count[h] == 1 {
			group = h
		} else if group != "" {
			unique[i] = group + ": " + h
		}
		for seen[unique[i]] {
			unique[i] += " again"
		}
		seen[unique[i]] = true
	}
	return unique
}

// A cell may be a number with a sign or a remark: 12.3 %, × 50, 0.7 *, 7.5 (7.1–8.0), 1024 of 2048.
var numberCell = regexp.MustCompile(`^(?:× )?(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)( %)?( \*| \(.*\)| of [0-9]+)?$`)

// missing are cells that stand for a number that does not exist.
var missing = []string{"", None}

// plainNumber returns a cell as a plain number and a remark. Times become seconds.
func plainNumber(cell string) (number, remark string, ok bool) {
	if m := numberCell.FindStringSubmatch(cell); m != nil {
		if m[2] == "" {
			return m[1], strings.TrimSpace(m[3]), true
		}
		v, err := strconv.ParseFloat(m[1], 64)
		return strconv.FormatFloat(v/100, 'g', 6, 64), strings.TrimSpace(m[3]), err == nil
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(cell, " ", "")); err == nil {
		return strconv.FormatFloat(d.Seconds(), 'g', -1, 64), "", true
	}
	return "", cell, false
}

// cleanColumn writes the cells of a column of numbers as plain numbers. Words and remarks go to a
// column of notes behind it. A column with more words than numbers does not change.
func (l *Long) cleanColumn(column int) {
	numbers, notes := make([]string, len(l.Rows)), make([]string, len(l.Rows))
	words, noted := 0, false
	for i, row := range l.Rows {
		if slices.Contains(missing, row[column]) {
			continue
		}
		number, remark, ok := plainNumber(row[column])
		numbers[i], notes[i] = number, remark
		if ok {
			words--
		} else {
			words++
		}
		noted = noted || remark != ""
	}
	if words >= 0 {
		return
	}
	if noted {
		l.Head = slices.Insert(l.Head, column+1, l.Head[column]+", note")
	}
	for i, row := range l.Rows {
		row[column] = numbers[i]
		if noted {
			l.Rows[i] = slices.Insert(row, column+1, notes[i])
		}
	}
}

// WriteCSV writes the table in long form, with empty cells for missing numbers. Spreadsheets take a cell that begins with one of = + - @ for
// a formula: if it is not a number, it gets an apostrophe in front.
func (t *Table) WriteCSV(out io.Writer) error {
	l := t.LongForm()
	return writeCells(out, append([][]string{l.Head}, l.Rows...))
}
