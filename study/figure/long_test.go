package figure

import (
	"reflect"
	"testing"
)

// Cells become plain numbers, remarks go to a column of notes, and words stay.
func TestLongForm(t *testing.T) {
	for name, c := range map[string]struct {
		table Table
		want  Long
	}{
		"numbers": {
			Table{Head: []string{"P", "lost", "t"}, Rows: [][]string{{"8", "-0.2 %", "2µs"}, {"16", "–", "1.5 ms"}}},
			Long{[]string{"P", "lost", "t"}, [][]string{{"8", "-0.002", "2e-06"}, {"16", "", "0.0015"}}},
		},
		"remarks": {
			Table{Head: []string{"P", "E"}, Rows: [][]string{{"8", "0.7 (4)"}, {"16", "none up to 5"}, {"32", "× 2"}}},
			Long{[]string{"P", "E", "E, note"}, [][]string{{"8", "0.7", "(4)"}, {"16", "", "none up to 5"}, {"32", "2", ""}}},
		},
		"words": {
			Table{Head: []string{"run", "why"}, Rows: [][]string{{"a", "42"}, {"b", "killed"}, {"c", ""}}},
			Long{[]string{"run", "why"}, [][]string{{"a", "42"}, {"b", "killed"}, {"c", ""}}},
		},
		"repeated": {
			Table{Head: []string{"a", "R²", "b", "R²"}, Rows: [][]string{{"1", "2", "3"}}},
			Long{[]string{"a", "a: R²", "b", "b: R²"}, [][]string{{"1", "2", "3", ""}}},
		},
		"spread": {
			Table{Head: []string{"case", "P = 2", "P = 4"}, Rows: [][]string{{"x", "5 %", "6"}}, Spread: &Spread{Keys: 1, Variable: "P", Value: "W"}},
			Long{[]string{"case", "P", "W"}, [][]string{{"x", "2", "0.05"}, {"x", "4", "6"}}},
		},
	} {
		rows := len(c.table.Rows)
		if got := *c.table.LongForm(); !reflect.DeepEqual(got, c.want) || len(c.table.Rows) != rows {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
