package reproduce

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed printed/*.csv
var printedFiles embed.FS

// Printed is a table of a paper whose rows are numbers of ranks and whose columns
// are schemes. A cell that the paper leaves empty is missing.
type Printed struct {
	P       []int    // the rows
	Columns []string // as the paper heads them
	cells   map[string]map[int]float64
}

// CellValue returns a cell; ok is false where the paper leaves it empty.
func (t *Printed) CellValue(column string, p int) (value float64, ok bool) {
	value, ok = t.cells[column][p]
	return value, ok
}

// readPrinted reads a table of printed/; its first column is P.
func readPrinted(name string) (*Printed, error) {
	f, err := printedFiles.Open("printed/" + name + ".csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &Printed{Columns: rows[0][1:], cells: map[string]map[int]float64{}}
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
