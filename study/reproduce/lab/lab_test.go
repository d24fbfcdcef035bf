package lab

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
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

// Schemes that draw nothing have the same outcome with every seed, and the name of a machine's own
// network changes nothing. So normalForm loses nothing. Random polling shows that a seed matters.
func TestNormalForm(t *testing.T) {
	m, err := Fitted.NCube2Machine()
	if err != nil {
		t.Fatal(err)
	}
	var f forest
	simulate := func(scheme, network string, seed uint64) Outcome {
		c := Fitted.SchemeCells(m, scheme, 16)[0]
		c.Instance, c.Cutoff = Instance{Variables: 40, Ratio: 4.6, Seed: 4}, 6
		c.Seed, c.Tuning.Network = seed, network
		o, err := c.simulateCell(&f)
		if err != nil {
			t.Fatal(err)
		}
		if n := c.normalForm(); slices.Contains(seedless, scheme) && n.Seed != 1 || n.Tuning.Network != "" {
			t.Errorf("the normal form has seed %d and network %q", n.Seed, n.Tuning.Network)
		}
		return o
	}
	for _, scheme := range seedless {
		if one, two := simulate(scheme, "", 1), simulate(scheme, m.Topology, 2); one != two {
			t.Errorf("%s: seed 1 gives %v, seed 2 %v", scheme, one, two)
		}
	}
	if one, two := simulate("rp", "", 1), simulate("rp", "", 2); one == two {
		t.Errorf("rp: two seeds give %v", one)
	}
	if one, two := simulate("shuffle", "", 1), simulate("shuffle", m.Topology, 1); one != two {
		t.Errorf("shuffle on the machine's network: %v, and by its name %v", one, two)
	}
}

// Equal cells run once, also if they are requested at the same time.
func TestEqualCellsRunOnce(t *testing.T) {
	dir := t.TempDir()
	l, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Fitted.NCube2Machine()
	if err != nil {
		t.Fatal(err)
	}
	cell := Fitted.SchemeCells(m, "arr", 64)[0]
	cell.Instance = Instance{Variables: 40, Ratio: 4.6, Seed: 4}
	cells := slices.Repeat([]Cell{cell}, 16)
	for i := range cells {
		cells[i].Seed = uint64(i)
	}
	l.Workers = 8
	got, err := l.RunCells(context.Background(), cells)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "cells.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if runs := bytes.Count(kept, []byte("\n")); runs != 1 || len(got) != len(cells) {
		t.Errorf("%d runs for %d outcomes, expected 1 for %d", runs, len(got), len(cells))
	}
	for _, o := range got {
		if o != got[0] || o.Nodes == 0 {
			t.Errorf("outcome %v, of the first cell %v", o, got[0])
		}
	}
}
