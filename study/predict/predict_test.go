package predict

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/sim/machinefile"
	"treesplit/uts"
)

func machine(t *testing.T) sim.Machine {
	t.Helper()
	m, err := machinefile.DecodeMachine([]byte("topology: crossbar\nneighbours: hypercube\nexpand: 100.25ns\nexpand-alone: 90ns\ntogether: 2\n"+
		"poll: 50ns\nstartup: 300ns\nreceive: 200ns\nper-hop: 400ns\nquantum: 100\nserve: 4\nwork-bytes: 60\nsplit: 100ns\nrest: 20us\nclosing: 10us\n"), "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tree(t *testing.T, depth int) *workloads.UTS {
	t.Helper()
	p, _, ok := uts.FindSample("T1")
	if !ok {
		t.Fatal("no T1")
	}
	p.Depth = depth
	return &workloads.UTS{Params: p}
}

func options(t *testing.T) Options {
	t.Helper()
	return Options{
		Machine: machine(t), Schemes: lb.SchemeNames(), Ranks: []int{1, 2, 8}, Workers: 2, Runs: 1,
		Plan: run.Plan{Termination: "ring", Topology: "hypercube", Splitting: search.DefaultSplitting, Seed: 1, Delay: 100 * time.Microsecond, Splits: lb.AutoSplits},
	}
}

func never() bool { return false }

// The prediction over a recorded tree equals the result of a simulation of the search itself, under
// every scheme.
func TestRecordedTreesGiveWhatTheSearchGives(t *testing.T) {
	o, w := options(t), tree(t, 7)
	found, err := ExamineTree(w, o.Machine, o.Plan.Splitting, time.Minute, never)
	if err != nil || found.Kind != Recorded {
		t.Fatalf("%+v, %v", found, err)
	}
	p, err := Run(found, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Cells) != len(o.Schemes)*len(o.Ranks) || p.Isoefficiency != nil {
		t.Errorf("%d cells, isoefficiency %v", len(p.Cells), p.Isoefficiency)
	}
	for _, c := range p.Cells {
		plan := o.Plan
		plan.Scheme, plan.Ranks = c.Scheme, c.Ranks
		r, err := run.RunSimulation(o.Machine, plan, w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Seconds != r.Seconds || c.Requests != r.Requests || r.Expanded != found.Nodes {
			t.Errorf("%+v, the search itself: %v s, %d requests, %d of %d nodes", c, r.Seconds, r.Requests, r.Expanded, found.Nodes)
		}
	}
}

// On one rank the time of a search is the time of its nodes, at the cost of a rank alone, and of
// its polls.
func TestOneRank(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes = []int{1}, []string{"rp"}
	found, err := NewModel(1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Run(found, o)
	if err != nil {
		t.Fatal(err)
	}
	want := (1e6*90 + 1e4*50) * 1e-9
	if got := p.Cells[0].Seconds; math.Abs(got/want-1) > 1e-3 {
		t.Errorf("%v s, want %v", got, want)
	}
}

// The predicted size for an efficiency reaches it approximately, and a ninth of the size does not.
func TestIsoefficiency(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes, o.Efficiency = []int{2, 4, 8, 16}, []string{"rp"}, 0.7
	found, err := NewModel(1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Run(found, o)
	if err != nil {
		t.Fatal(err)
	}
	if p.Recommended != "rp" {
		t.Errorf("recommended %q", p.Recommended)
	}
	i := p.Isoefficiency
	if i == nil || len(i.Points) != 4 || i.Exponent <= 1 || i.Exponent > 2 {
		t.Fatalf("%+v", i)
	}
	s := &simulator{Options: o}
	for _, at := range i.Points {
		for _, c := range []struct{ size, least, most float64 }{{at.Nodes, 0.62, 0.78}, {at.Nodes / 9, 0, 0.6}} {
			got, err := s.simulateModel(int64(c.size), i.Sigma, i.Scheme, at.Ranks)
			if err != nil || got.Efficiency < c.least || got.Efficiency > c.most {
				t.Errorf("%v nodes on %d ranks: %v, %v; want %v to %v", c.size, at.Ranks, got.Efficiency, err, c.least, c.most)
			}
		}
		if fit := i.Factor * math.Pow(float64(at.Ranks), i.Exponent); fit/at.Nodes > 2 || fit/at.Nodes < 0.5 {
			t.Errorf("the curve has %v at %d ranks, measured were %v", fit, at.Ranks, at.Nodes)
		}
	}
}

// The fit finds the deviation of a model from the efficiencies of the model.
func TestFitFindsTheModel(t *testing.T) {
	o := options(t)
	o.Ranks, o.Schemes = []int{8, 32, 128}, []string{"rp"}
	for _, sigma := range []float64{sigmas[0], sigmas[len(sigmas)-1]} {
		s := &simulator{Options: o}
		given := Tree{Kind: Live, Nodes: 300_000, workload: halvingWorkload(300_000, sigma), parts: 1}
		cells, err := s.simulateGrid(given)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := s.fitTreeModel(given, cells); err != nil || got != sigma {
			t.Errorf("σ = %v, %v; want %v", got, err, sigma)
		}
	}
}

// Without a cell that tells models apart the model is the even one, and a model that takes too long is not chosen.
func TestDistanceOfModels(t *testing.T) {
	cells := []Cell{{Efficiency: 0.99}, {Efficiency: 0.5}}
	near, far := []Cell{{Efficiency: 0.9}, {Efficiency: 0.45}}, []Cell{{Efficiency: 0.9}, {GivenUp: true}}
	if a, b := efficiencyDistance(cells, near), efficiencyDistance(cells, far); math.IsInf(a, 1) || !math.IsInf(b, 1) {
		t.Errorf("%v and %v, want a number and infinity", a, b)
	}
	s := &simulator{Options: options(t)}
	tree := Tree{Kind: Live, Nodes: 1000, workload: halvingWorkload(1000, sigmas[0]), parts: 1}
	sigma, models, err := s.fitTreeModel(tree, []Cell{{Scheme: "rp", Ranks: 2, Efficiency: 0.999}})
	if err != nil || sigma != evenSigma || len(models) != 1 {
		t.Errorf("σ = %v with %d models, %v; want %v", sigma, len(models), err, evenSigma)
	}
}

func TestBest(t *testing.T) {
	cell := func(scheme string, ranks int, seconds, efficiency float64) Cell {
		return Cell{Scheme: scheme, Ranks: ranks, Seconds: seconds, Efficiency: efficiency}
	}
	for name, c := range map[string]struct {
		cells []Cell
		want  string
	}{
		"the fastest on most ranks":       {[]Cell{cell("a", 2, 1, 0.9), cell("a", 8, 3, 0.3), cell("b", 2, 2, 0.5), cell("b", 8, 2, 0.4)}, "b"},
		"of two as fast the better below": {[]Cell{cell("b", 2, 2, 0.5), cell("b", 8, 2, 0.3), cell("a", 2, 1, 0.9), cell("a", 8, 2.01, 0.3)}, "a"},
		"one that came to an end":         {[]Cell{cell("b", 2, 2, 0.5), cell("b", 8, 9, 0.1), cell("a", 2, 1, 0.9), {Scheme: "a", Ranks: 8, GivenUp: true}}, "b"},
		"on fewer ranks where none did":   {[]Cell{cell("a", 2, 1, 0.9), {Scheme: "a", Ranks: 8, GivenUp: true}}, "a"},
		"nothing of nothing":              {nil, ""},
	} {
		if got := bestScheme(c.cells, []int{2, 8}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A search that ends at a solution is not recorded, because the part of the tree that it visits
// depends on the ranks.
func TestSolutionsAreNotRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sat.cnf")
	if err := os.WriteFile(path, []byte("p cnf 3 2\n1 2 0\n-1 3 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for all, kind := range map[bool]string{false: Live, true: Recorded} {
		found, err := ExamineTree(workloads.NewSAT(workloads.SATOptions{Path: path, Rule: "paper", All: all}), machine(t), search.DefaultSplitting, time.Minute, never)
		if err != nil || found.Kind != kind {
			t.Errorf("all solutions %v: %+v, %v; want %s", all, found, err, kind)
		}
	}
}

// Trees that cannot be examined are refused, with a remedy.
func TestLookEnds(t *testing.T) {
	m := machine(t)
	_, err := ExamineTree(tree(t, 12), m, search.DefaultSplitting, time.Nanosecond, never)
	if !errors.As(err, &run.InputError{}) || !strings.Contains(err.Error(), "--nodes") {
		t.Errorf("a tree that takes too long: %v", err)
	}
	if _, err := ExamineTree(tree(t, 12), m, search.DefaultSplitting, time.Minute, func() bool { return true }); err != ErrInterrupted {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := ExamineTree(tree(t, -1), m, search.DefaultSplitting, time.Minute, never); !errors.As(err, &run.InputError{}) {
		t.Errorf("a bad tree: %v", err)
	}
	for _, nodes := range []int64{0, -1, 1 << 62} {
		if _, err := NewModel(nodes); !errors.As(err, &run.InputError{}) {
			t.Errorf("a model of %d nodes: %v", nodes, err)
		}
	}
}

// The user can interrupt a prediction, and a simulation that takes too long is given up.
func TestRunEnds(t *testing.T) {
	o := options(t)
	found, err := NewModel(1_000_000_000)
	if err != nil {
		t.Fatal(err)
	}
	o.Ranks, o.Schemes = []int{4096}, []string{"rp"}
	o.Interrupted = func() bool { return true }
	if _, err := Run(found, o); err != ErrInterrupted {
		t.Errorf("interrupted: %v", err)
	}
	o.Interrupted, o.Patience = nil, time.Nanosecond
	p, err := Run(found, o)
	if err != nil || !p.Cells[0].GivenUp || p.Recommended != "" {
		t.Errorf("given up: %+v, %v", p, err)
	}
}
