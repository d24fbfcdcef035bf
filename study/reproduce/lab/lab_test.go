package lab

import (
	"context"
	"slices"
	"testing"
)

// The outcomes of cells do not depend on the number of workers.
func TestWorkersMakeNoDifference(t *testing.T) {
	k := Fitted
	k.Instances = []Instance{{Variables: 40, Ratio: 4.6, Seed: 4}, {Variables: 44, Ratio: 4.6, Seed: 1}}
	schemes := []string{"rp", "grr-m", "sb", "ml", "lifeline"}
	if testing.Short() {
		k.Instances, schemes = k.Instances[:1], schemes[:2]
	}
	m, err := k.NCube2Machine()
	if err != nil {
		t.Fatal(err)
	}
	var cells []Cell
	for _, s := range schemes {
		cells = append(cells, k.SchemeCells(m, s, 16)...)
	}
	for i := range cells {
		cells[i].Cutoff = 6
	}
	var first []Outcome
	for _, workers := range []int{1, 4} {
		l, err := New("")
		if err != nil {
			t.Fatal(err)
		}
		l.Workers = workers
		got, err := l.RunCells(context.Background(), cells)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !slices.Equal(got, first) {
			t.Errorf("%d workers: %v, one: %v", workers, got, first)
		}
		first = got
	}
}
