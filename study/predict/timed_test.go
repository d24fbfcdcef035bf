package predict

import (
	"math"
	"slices"
	"testing"
	"time"

	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/search"
	"treesplit/search/replay"
)

// Trees of rules whose nodes take very different times are recorded with the times. On one rank a prediction
// is the time of the search itself.
func TestTimedTrees(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes = []int{1, 4}, []string{"rp", "sl", "static"}
	for _, rule := range []string{"lookahead", "cubes"} {
		w := workloads.NewSAT(workloads.SATOptions{Path: "../../testdata/php6.cnf", Rule: rule, Cubes: workloads.Cubes{Cut: "assigned=20"}})
		found, err := ExamineTree(w, o.Machine, o.Plan.Splitting, time.Minute, never)
		if err != nil || found.Kind != Timed {
			t.Fatalf("%s: %+v, %v", rule, found, err)
		}
		plan := o.Plan
		plan.Scheme, plan.Ranks = "rp", 1
		r, err := run.RunSimulation(o.Machine, plan, w, run.Hooks{})
		if err != nil || r.Expanded != found.Nodes {
			t.Fatalf("%s: %d nodes, the search has %d (%v)", rule, found.Nodes, r.Expanded, err)
		}
		p, err := Run(found, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Cells {
			if c.Ranks == 1 && c.Scheme == "rp" && math.Abs(c.Seconds/r.Seconds-1) > 0.01 {
				t.Errorf("%s: %v s on one rank, the search itself %v", rule, c.Seconds, r.Seconds)
			}
			if c.GivenUp || c.Efficiency <= 0 || c.Efficiency > 1 {
				t.Errorf("%s: %+v", rule, c)
			}
		}
	}
}

// A prediction depends on the times of nodes. Two ranks take half of the time of one for eight equal nodes, and all
// of it if one of the nodes takes nearly all the time.
func TestTimesOfNodesMatter(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes = []int{2}, []string{"rp"}
	seconds := map[int64]float64{}
	for _, slow := range []int64{1, 1000} {
		timed := []search.TimedNode{{Children: 8, Count: 1, Time: 1}}
		for range 7 {
			timed = append(timed, search.TimedNode{Count: 2500, Time: 2500})
		}
		timed = append(timed, search.TimedNode{Count: 2500, Time: slow * 2500})
		tree, parts, err := replay.RecordTimedTree(timed, mostParts(o.Machine), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Run(Tree{Kind: Timed, Nodes: 20_001, workload: replayWorkload(tree), parts: parts}, o)
		if err != nil {
			t.Fatal(err)
		}
		seconds[slow] = p.Cells[0].Seconds
	}
	if ratio := seconds[1000] / seconds[1]; ratio < 1.9 || ratio > 2.1 {
		t.Errorf("%v: a ratio of %v", seconds, ratio)
	}
}

// If each step of a cube takes the same time, the timed tree takes about as long as the search itself, also under
// schemes that cut off subtasks above or below the anchors.
func TestTimedTreeIsTheSearch(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes = []int{8}, []string{"rp", "sl", "ml", "static"}
	w := workloads.NewSAT(workloads.SATOptions{Path: "../../testdata/php6.cnf", Rule: "cubes", Cubes: workloads.Cubes{Cut: "assigned=16"}})
	problem, err := w.Load()
	if err != nil {
		t.Fatal(err)
	}
	share := problem.Share(o.Plan.Splitting, true).(*sat.Search)
	timed := slices.Collect(problem.(run.Timed).TimedNodes(share, func() int64 { return share.Counts().Expanded }, never))
	tree, parts, err := replay.RecordTimedTree(timed, 1, 1<<20)
	if err != nil || parts != 1 {
		t.Fatal(parts, err)
	}
	for _, cutoff := range []int{3, 6, 12} {
		o.Plan.Splitting.Cutoff = cutoff
		p, err := Run(Tree{Kind: Timed, Nodes: tree.NodeCount(), workload: replayWorkload(tree), parts: parts}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Cells {
			plan := o.Plan
			plan.Scheme, plan.Ranks = c.Scheme, c.Ranks
			r, err := run.RunSimulation(o.Machine, plan, run.Loaded{Problem: problem}, run.Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, --cutoff %d: %.0f µs, the search itself %.0f µs", c.Scheme, cutoff, 1e6*c.Seconds, 1e6*r.Seconds)
			if ratio := c.Seconds / r.Seconds; ratio < 0.8 || ratio > 1.25 {
				t.Errorf("%s, --cutoff %d: %v s, the search itself %v s", c.Scheme, cutoff, c.Seconds, r.Seconds)
			}
		}
	}
}

// The parts of a node that counts once change neither the time on one rank nor the number of polls.
func TestDividedNodes(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes = []int{1}, []string{"rp"}
	timed := make([]search.TimedNode, 0, 2001)
	for range 1000 {
		timed = append(timed, search.TimedNode{Children: 2, Count: 1, Time: 5}, search.TimedNode{Count: 1, Time: 5})
	}
	timed = append(timed, search.TimedNode{Count: 1, Time: 5})
	tree, parts, err := replay.RecordTimedTree(timed, mostParts(o.Machine), 1<<20)
	if err != nil || parts != 16 {
		t.Fatal(parts, err)
	}
	p, err := Run(Tree{Kind: Timed, Nodes: 2001, workload: replayWorkload(tree), parts: parts}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := (2001*90 + 20*50) * 1e-9
	if got := p.Cells[0].Seconds; math.Abs(got/want-1) > 2e-3 {
		t.Errorf("%v s, want %v", got, want)
	}
}
