package main

import (
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/search"
	"treesplit/search/searchtest"
	"treesplit/sim"
	"treesplit/termination"
)

// largest returns the size of a largest clique by trying all cliques: those that have the
// vertices of chosen, and more from v on.
func largest(g graph, chosen []int, v int) int {
	best := len(chosen)
	for ; v < len(g); v++ {
		if !slices.ContainsFunc(chosen, func(u int) bool { return !g[u].hasVertex(v) }) {
			best = max(best, largest(g, append(chosen, v), v+1))
		}
	}
	return best
}

// pruned counts the nodes of a search that knows the optimum: a node has children only if its
// bound is better.
func pruned(g graph, n part, optimum int) (nodes int64) {
	if nodes = 1; int(n.Most) <= optimum {
		return nodes
	}
	for _, child := range (&tree{graph: g, bound: search.NoBound}).Children(nil, n) {
		nodes += pruned(g, child, optimum)
	}
	return nodes
}

// hamming returns the graph of the words of the given number of bits, joined if they differ in at
// least distance bits. The DIMACS challenges have some of these graphs.
func hamming(length, distance int) graph {
	g := make(graph, 1<<length)
	for v := range g {
		for u := range v {
			if bits.OnesCount(uint(u^v)) >= distance {
				g.joinVertices(u, v)
			}
		}
	}
	return g
}

// The share implements all interfaces that schemes and branch and bound need.
func TestConformance(t *testing.T) {
	p := problem{randomGraph(40, 0.8, 1)}
	share := func(root bool) func() search.Work {
		return func() search.Work { return p.Share(search.DefaultSplitting, root) }
	}
	optimum := largest(p.graph, nil, 0)
	searchtest.RunOptimiser(t, share(true), share(false), searchtest.Optimum{
		Least: -int64(optimum), Expanded: pruned(p.graph, (&tree{graph: p.graph}).Root(), optimum),
		Witness: p.Witness, Value: p.Value,
	})
}

// Every scheme finds the optimum and its clique, on goroutines and on a simulated machine.
func TestEveryScheme(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		p := problem{randomGraph(50, 0.6, seed)}
		want := largest(p.graph, nil, 0)
		for i, scheme := range lb.SchemeNames() {
			plan := run.DefaultPlan(2 + (i+int(seed))%7)
			plan.Scheme, plan.Termination = scheme, termination.DetectorNames()[i%len(termination.DetectorNames())]
			local, err := run.RunOnGoroutines(plan, run.Loaded{Problem: p}, run.Hooks{})
			found(t, scheme, p, local, err, want)
			simulated, err := run.RunSimulation(machine, plan, run.Loaded{Problem: p}, run.Hooks{})
			found(t, scheme+", simulated", p, simulated, err, want)
		}
	}
}

// found checks that a run has ended with a clique of the size wanted.
func found(t *testing.T, run string, p problem, r *run.Result, err error, want int) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", run, err)
	}
	if value, err := p.Value(r.Witness); err != nil || value != -int64(want) || r.Bound != value {
		t.Errorf("%s: a clique of value %d, %v, the best value known is %d: expected %d", run, value, err, r.Bound, -want)
	}
}

// Graphs of the DIMACS challenges have the cliques that theory says. Reference: the largest
// binary codes of length 6 with distance 2 and 4, and of length 7 with distance 4, have 32, 4 and
// 8 words.
func TestHamming(t *testing.T) {
	for _, c := range []struct{ length, distance, want int }{{6, 2, 32}, {6, 4, 4}, {7, 4, 8}} {
		p := problem{hamming(c.length, c.distance)}
		r, err := run.RunOnGoroutines(run.DefaultPlan(3), run.Loaded{Problem: p}, run.Hooks{})
		found(t, "hamming", p, r, err, c.want)
	}
}

// A search that is stopped has the best clique found so far, with its value. One that resumes it
// ends with a largest clique, whether that was found before or after.
func TestStopped(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	file, foundBefore, foundAfter := filepath.Join(t.TempDir(), "clique"), 0, 0
	for seed := range uint64(8) {
		p := problem{randomGraph(80, 0.7, seed)}
		whole, err := run.RunOnGoroutines(run.DefaultPlan(1), run.Loaded{Problem: p}, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		plan := run.DefaultPlan(4)
		plan.Store, plan.Checkpoint, plan.Restart, plan.Quantum = checkpoint.Files{}, file, true, 1
		r, err := run.RunSimulation(machine, plan, run.Loaded{Problem: p}, run.Hooks{Interrupted: func() bool { return true }})
		if err != nil || r.Why != lb.Interrupted {
			t.Fatalf("%+v, %v: expected a search that is stopped", r, err)
		}
		value, err := p.Value(r.Witness)
		if err != nil || value != r.Bound {
			t.Errorf("stopped: a clique of value %d, %v, the best value known is %d", value, err, r.Bound)
		}
		if value == whole.Bound {
			foundBefore++
		} else {
			foundAfter++
		}
		plan = run.DefaultPlan(3)
		plan.Store, plan.Resume, plan.Scheme = checkpoint.Files{}, file, "static+rp"
		r, err = run.RunOnGoroutines(plan, run.Loaded{Problem: p}, run.Hooks{})
		found(t, "resumed", p, r, err, -int(whole.Bound))
	}
	t.Logf("the largest clique was found %d times before a stop, %d times after", foundBefore, foundAfter)
	if foundBefore == 0 || foundAfter == 0 {
		t.Error("expected both")
	}
}

// A search whose time is up on goroutines reports the best clique found so far.
func TestTimeout(t *testing.T) {
	p, plan := problem{hamming(8, 3)}, run.DefaultPlan(4) // a hard one
	plan.Timeout = 20 * time.Millisecond
	r, err := run.RunOnGoroutines(plan, run.Loaded{Problem: p}, run.Hooks{})
	if err != nil || r.Why != lb.Timeout {
		t.Fatalf("%+v, %v: expected a search that takes longer", r, err)
	}
	if value, err := p.Value(r.Witness); err != nil || value != r.Bound {
		t.Errorf("a clique of value %d, %v, the best value known is %d", value, err, r.Bound)
	}
}

// A search that is stopped before its first node has no clique, and this is no error.
func TestStoppedAtOnce(t *testing.T) {
	plan := run.DefaultPlan(2)
	plan.Scheme = "static" // the parts of the tree are dealt first
	r, err := run.RunOnGoroutines(plan, run.Loaded{Problem: problem{hamming(8, 3)}}, run.Hooks{Interrupted: func() bool { return true }})
	if err != nil || r.Witness != nil {
		t.Fatalf("%+v, %v: expected a search without a clique", r, err)
	}
	if err := printClique(r); err != nil {
		t.Error(err)
	}
}

// Graphs are read, or refused with the line that is wrong. Space at the ends of a line is allowed.
func TestReadGraph(t *testing.T) {
	for _, text := range []string{"c a path\np edge 3 2\ne 1 2\ne 2 3\n", " c a path\n\tp edge 3 2\n  e 1 2 \n e 2 3\r\n \n"} {
		g, err := readGraph(strings.NewReader(text))
		if err != nil || largest(g, nil, 0) != 2 || len(g) != 3 || !g[1].hasVertex(0) || !g[1].hasVertex(2) {
			t.Errorf("%q: %v, %v", text, g, err)
		}
	}
	for text, want := range map[string]string{
		"":                            "no vertices",
		"p edge 3 2\ne 1 4":           "line 2",
		"e 1 2":                       "line 1",
		"p edge 3 0\np edge 3 0":      "line 2",
		"p edge 257 0":                "1 to 256",
		"p edge -1 0":                 "line 1",
		"p edge 2 1\ne 2 2":           "line 2",
		"p edge 2 1\nn 1 5":           "begins with",
		strings.Repeat("c", 1<<20):    "too long",
		"p edge 3 1\ne 1 x":           "line 2",
		"p edge 3 1\n\ne 9999999 1\n": "line 3",
	} {
		if g, err := readGraph(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, %v: expected %q", text, g, err, want)
		}
	}
	for _, in := range []input{{vertices: 0}, {vertices: 257}, {file: os.DevNull}, {file: "no such file"}} {
		if _, err := in.Load(); err == nil {
			t.Errorf("%+v was taken", in)
		}
	}
}

// Nodes and solutions that cannot be are refused.
func TestHostile(t *testing.T) {
	g := hamming(3, 2) // two tetrahedra
	tree := &tree{graph: g}
	for _, n := range []part{
		{Rest: set{0, 1}, Most: 1},                    // no such vertex
		{Clique: set{1<<0 | 1<<1}, Most: 2},           // not joined
		{Clique: set{1 << 0}, Rest: set{1}, Most: 1},  // in both
		{Clique: set{1 << 0}, Rest: set{2}, Most: 1},  // not joined
		{Clique: set{1 << 0}, Rest: set{8}, Most: 3},  // more than there are
		{Clique: set{1<<0 | 1<<3}, Most: 1},           // fewer
		{Clique: set{1 << 0}, Rest: set{8}, Most: -1}, // likewise
	} {
		if tree.Check(n) == nil {
			t.Errorf("%+v was taken", n)
		}
	}
	p := problem{g}
	for _, witness := range []string{"", "{}", "[0,1]", "[0,0]", "[8]", "[-1]", "[0,3,5,6,9]"} {
		if value, err := p.Value([]byte(witness)); err == nil {
			t.Errorf("%s was taken for a clique of value %d", witness, value)
		}
	}
}
