package rings

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"treesplit/ksbf"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// Package ksbf tests the claims of Gao and Rosenberg (paper_test.go). The tests here check the
// tables.

// column returns a table's column by its head.
func column(t *testing.T, table figure.Table, head string) (cells []string) {
	t.Helper()
	for i, h := range table.Head {
		if h == head {
			for _, row := range table.Rows {
				cells = append(cells, row[i])
			}
			return cells
		}
	}
	t.Fatalf("%s has no column %q", table.Name, head)
	return nil
}

// G6: the 63 tasks of T_6 occur once each. The misprint is at the place where the paper's 39 must
// be 38. Reference: Gao and Rosenberg, table 1.
func TestRingTable1(t *testing.T) {
	s, err := Table1(context.Background(), nil, lab.Knobs{})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for pe, tasks := range column(t, s.Tables[0], "tasks") {
		for _, task := range strings.Fields(tasks) {
			if _, twice := at[task]; twice {
				t.Errorf("task %s twice", task)
			}
			at[task] = pe
		}
	}
	if len(at) != 63 || at["38"] != 2 || at["39"] != 3 || at["1"] != 0 || at["63"] != 1 {
		t.Errorf("%d tasks: %v", len(at), at)
	}
	listed := 0
	for _, row := range s.Tables[1].Rows {
		for pe, task := range row[1:] {
			if task != "" {
				listed++
				if at[task] != pe {
					t.Errorf("task %s in step %s on PE %d, and in the first table on PE %d", task, row[0], pe, at[task])
				}
			}
		}
	}
	if listed != 63 {
		t.Errorf("%d tasks step by step", listed)
	}
}

// G3 and G4: measured times equal the times of the theorems, and are within the printed bounds.
// Reference: Gao and Rosenberg, theorems 1.1, 2.2 and 3.2.
func TestRingBounds(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	plan := boundsPlan{ranks: []int{2, 3, 7}, trees: []int{3, 9}, grids: []int{2, 25}, deviations: 13, curves: []int{10, 20, 30}}
	trees, err := treeBounds(context.Background(), l, plan)
	if err != nil {
		t.Fatal(err)
	}
	grids, err := gridBounds(context.Background(), l, plan)
	if err != nil {
		t.Fatal(err)
	}
	for table, heads := range map[*figure.Table][2]string{&trees: {"max W_i + i", "theorem 1.1a"}, &grids: {"W_0(n)", "theorem 1.1b"}} {
		measured, exact, bounds := column(t, *table, "measured"), column(t, *table, heads[0]), column(t, *table, heads[1])
		for i, m := range measured {
			steps, err1 := strconv.ParseFloat(m, 64)
			bound, err2 := strconv.ParseFloat(bounds[i], 64)
			if err1 != nil || err2 != nil || m != exact[i] || steps > bound {
				t.Errorf("%s: measured %s, by theorem %s, bound %s", table.Name, m, exact[i], bounds[i])
			}
		}
	}
	// The sizes for which (2.2) fails with the proof's α_p.
	if got := column(t, deviations(plan), "n where it is above α_p^n"); got[0] != "all" || got[1] != " 3 9" || got[2] != "none" {
		t.Errorf("(2.2) fails for %q", got)
	}
	limit, _ := speedupLimit(plan)
	if got := strings.Join(column(t, limit, "best speedup"), " "); got != "4.00 5.68 6.92" { // 4.0, 5.7, 6.9
		t.Errorf("best speedups %s", got)
	}
}

// G5: on bad trees, schemes that move load in both directions are much faster than KS-BF, and on
// grids they are not. Reference: Gao and Rosenberg, section 1.3.
func TestRingBaselines(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	runs := []computation{
		{"bad", ksbf.Bad{Family: "capped", Levels: 22, Weight: 4}},
		{"tree", ksbf.Complete{N: 14}},
		{"grid", ksbf.Grid{N: 150}},
	}
	got, err := measureSpeeds(context.Background(), l, runs, []int{16})
	if err != nil {
		t.Fatal(err)
	}
	n := len(ksbf.Schemes)
	for i, others := range [][]schemeSpeed{got[2:n], got[n+2 : 2*n]} {
		for j, o := range others {
			if ks := got[i*n].speedup; o.speedup < 2*ks || o.speedup > 16 {
				t.Errorf("%s: %s has a speedup of %.2f, KS-BF %.2f", runs[i].name, ksbf.Schemes[2+j].Name, o.speedup, ks)
			}
		}
	}
	grid := got[2*n:]
	if !grid[1].refused || grid[0].speedup < 13 {
		t.Errorf("grid: %+v", grid)
	}
	for _, o := range grid[2:] {
		if o.speedup > grid[0].speedup {
			t.Errorf("grid: %.2f, KS-BF %.2f", o.speedup, grid[0].speedup)
		}
	}
}
