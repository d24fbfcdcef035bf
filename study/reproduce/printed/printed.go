// Package printed holds the tables that the papers print, as data, and reads them.
package printed

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed *.csv
var printedFiles embed.FS

// Table is a table of a paper whose rows are numbers of ranks and whose columns are schemes. A cell
// that the paper leaves empty is missing.
type Table struct {
	P       []int    // the rows: numbers of ranks, or of cases in the table of kale
	Columns []string // with the headings of the paper
	cells   map[string]map[int]float64
}

// CellValue returns a cell; ok is false if the paper leaves it empty.
func (t *Table) CellValue(column string, p int) (value float64, ok bool) {
	value, ok = t.cells[column][p]
	return value, ok
}

// SelectColumns returns the table with only some of its columns.
func (t *Table) SelectColumns(columns ...string) *Table {
	return &Table{P: t.P, Columns: columns, cells: t.cells}
}

// Read reads a table by the name of its file in this folder, without .csv. The first column is P.
func Read(name string) (*Table, error) {
	f, err := printedFiles.Open(name + ".csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &Table{Columns: rows[0][1:], cells: map[string]map[int]float64{}}
	for _, c := range t.Columns {
		t.cells[c] = map[int]float64{}
	}
	for i, row := range rows[1:] {
		p, err := strconv.Atoi(row[0])
		if err != nil {
			return nil, fmt.Errorf("%s, row %d: %w", name, i+1, err)
		}
		t.P = append(t.P, p)
		for j, text := range row[1:] {
			if text == "" {
				continue
			}
			if t.cells[t.Columns[j]][p], err = strconv.ParseFloat(text, 64); err != nil {
				return nil, fmt.Errorf("%s, row %d: %w", name, i+1, err)
			}
		}
	}
	return t, nil
}
