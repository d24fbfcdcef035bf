package kumar

import (
	"context"
	"strconv"
	"testing"

	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// A reading changes the runs of its column, and every printed cell has a number. The formula is small, so
// that the numbers themselves have no meaning.
func TestReadingsChangeTheirColumns(t *testing.T) {
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 40, Ratio: 4.6, Seed: 4}}
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	paper, err := printed.Read("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		t.Fatal(err)
	}
	paper = paper.SelectColumns("ARR", "SB")
	paper.P = paper.P[:3]
	read, err := runReadings(context.Background(), l, k, paper)
	if err != nil {
		t.Fatal(err)
	}
	usual, err := runSpeedups(context.Background(), l, k, paper)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readings {
		at := lab.At(r.column, paper.P[2])
		if read.ours[at] <= 0 || read.ours[at] == usual.ours[at] {
			t.Errorf("%s, %s: a speedup of %v, and as usual %v", r.column, r.name, read.ours[at], usual.ours[at])
		}
	}
}

// The tree of generators that is shown is the one with the best speedup.
func TestBestTreeOfGenerators(t *testing.T) {
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 40, Ratio: 4.6, Seed: 4}}
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	paper, err := printed.Read("kumar-table5-speedups-sender-initiated")
	if err != nil {
		t.Fatal(err)
	}
	paper.P = []int{16}
	c, best, err := runArities(context.Background(), l, k, paper)
	if err != nil {
		t.Fatal(err)
	}
	m, err := k.NCube2Machine()
	if err != nil {
		t.Fatal(err)
	}
	run := func(arity, depth int) float64 {
		cells := k.SchemeCells(m, "ml", 16)
		cells[0].Arity, cells[0].Cutoff = arity, depth
		got, err := l.RunCells(context.Background(), cells)
		if err != nil {
			t.Fatal(err)
		}
		return got[0].Speedup()
	}
	arity, _ := strconv.Atoi(best.Rows[0][1])
	depth, _ := strconv.Atoi(best.Rows[0][2])
	shown := run(arity, depth)
	if got := c.ours[lab.At("ML", 16)]; got != shown || got <= 0 {
		t.Errorf("the speedup is %v, and the tree with m = %d and depth %d has %v", got, arity, depth, shown)
	}
	speedups := map[float64]bool{}
	for _, f := range arityFactors {
		for _, d := range informedDepths {
			s := run(4*f, d)
			if speedups[s] = true; s > shown {
				t.Errorf("m = %d and depth %d have %v, more than %v", 4*f, d, s, shown)
			}
		}
	}
	if len(speedups) < 2 {
		t.Errorf("all trees have the same speedup: %v", speedups)
	}
}
