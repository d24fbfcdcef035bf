package kumar

import (
	"reflect"
	"testing"

	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// The CSV of a comparison has one row per scheme and P, and the error as a fraction.
func TestLongErrors(t *testing.T) {
	paper, err := printed.Read("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		t.Fatal(err)
	}
	p, scheme := paper.P[0], paper.Columns[0]
	value, ok := paper.CellValue(scheme, p)
	if !ok {
		t.Fatal("the first cell is not printed")
	}
	c := comparison{paper, map[lab.Place]float64{lab.At(scheme, p): value * 0.5}}
	table := c.errorTable("table3", "")
	long := table.LongForm()
	if want := []string{"P", "scheme", "paper", "ours", "error"}; !reflect.DeepEqual(long.Head, want) {
		t.Errorf("%q, want %q", long.Head, want)
	}
	if row := long.Rows[0]; row[1] != scheme || row[4] != "-0.5" {
		t.Errorf("%q", row)
	}
	if row := long.Rows[1]; row[3] != "" || row[4] != "" {
		t.Errorf("%q has a number that was not computed", row)
	}
}
