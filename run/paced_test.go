package run_test

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/local"
	"treesplit/pace"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim/machinefile"
	"treesplit/termination"
	"treesplit/uts"
)

// pacedTree is the tree of the paced runs of these tests, a tree of UTS, and pacedNodes its number of
// nodes.
var pacedTree = &workloads.UTS{Params: uts.Params{Type: uts.Binomial, B0: 200, Q: 0.12, M: 8, Seed: 0, Granularity: 1}}

const pacedNodes = 5057

// pacedPlan returns a plan of paced ranks.
func pacedPlan(ranks int, scheme, detector string, rate pace.Rate) run.Plan {
	return run.Plan{
		Ranks: ranks, Scheme: scheme, Termination: detector, Topology: "hypercube", Seed: 1,
		Splitting: search.DefaultSplitting, Splits: lb.AutoSplits, Levels: 2, Stall: 5 * time.Minute,
		Pace: rate,
	}
}

// checkPaced checks the result of a complete paced run.
func checkPaced(t *testing.T, r *run.Result, err error, p run.Plan) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	w := int64(pacedNodes)
	t1 := p.Pace.MeanNodeTime().Duration().Seconds() * float64(w)
	if node, err := time.ParseDuration(r.Paced); err != nil || r.Expanded != w || node != p.Pace.MeanNodeTime().Duration() || strings.Contains(r.Paced, "µ") || r.Pacing == nil {
		t.Fatalf("%d nodes, pace %q, pacing %v; want %d nodes, pace %v", r.Expanded, r.Paced, r.Pacing, w, p.Pace.MeanNodeTime().Duration())
	}
	if off := r.SequentialSeconds/t1 - 1; off > 1e-9 || off < -1e-9 {
		t.Errorf("the sequential time is %v s, want W·D = %v s", r.SequentialSeconds, t1)
	}
	if r.Efficiency > 1.05 { // each rank is busy for the time of its nodes, except for a debt of 50 µs
		t.Errorf("the efficiency is %v: nodes take less than their time", r.Efficiency)
	}
	if want := t1 / float64(p.Ranks) / r.Seconds; r.Efficiency/want-1 > 1e-9 || want/r.Efficiency-1 > 1e-9 {
		t.Errorf("the efficiency is %v, want %v", r.Efficiency, want)
	}
}

// Paced ranks expand exactly W nodes under every scheme and every detector, also if nodes vary, if
// one rank is slow, and if messages take time.
func TestPacedRunsAreExact(t *testing.T) {
	for _, scheme := range lb.SchemeNames() {
		for i, detector := range termination.DetectorNames() {
			t.Run(scheme+"/"+detector, func(t *testing.T) {
				p := pacedPlan(5, scheme, detector, pace.Rate{Node: 20_000})
				if i%2 == 1 {
					p.Pace = pace.Rate{Node: 20_000, Jitter: 0.5, Slow: map[int]float64{2: 3}, Send: 10_000, Receive: 5_000}
					p.Network = local.Network{Latency: 50_000, Bandwidth: 100e6}
				}
				r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{})
				checkPaced(t, r, err, p)
			})
		}
	}
}

// The protocols work on 64 paced ranks: every scheme, and every detector under GRR, whose requests all
// meet at rank 0.
func TestPacedCrowd(t *testing.T) {
	check := func(scheme, detector string) {
		t.Run(scheme+"/"+detector, func(t *testing.T) {
			p := pacedPlan(64, scheme, detector, pace.Rate{Node: 200_000})
			p.Network.Latency = 100_000
			r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{})
			checkPaced(t, r, err, p)
		})
	}
	for _, scheme := range lb.SchemeNames() {
		check(scheme, "tree")
	}
	for _, detector := range termination.DetectorNames() {
		check("grr", detector)
	}
}

// A rank with many open nodes and no messages waits once for many nodes.
func TestPacedRanksCoast(t *testing.T) {
	p := pacedPlan(4, "rp", "ring", pace.Rate{Node: 500_000})
	r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{})
	checkPaced(t, r, err, p)
	if r.Pacing.Waits > pacedNodes/4 {
		t.Errorf("%d waits for %d nodes, want at most a fourth of them", r.Pacing.Waits, pacedNodes)
	}
}

// 64 paced ranks that are halted and saved again and again expand each node once.
func TestPacedCheckpoints(t *testing.T) {
	p := pacedPlan(64, "rp", "tree", pace.Rate{Node: 1_000_000})
	p.Network.Latency = 100_000
	p.Checkpoint, p.CheckpointEvery, p.Store = filepath.Join(t.TempDir(), "search"), time.Millisecond, checkpoint.Files{}
	r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{})
	checkPaced(t, r, err, p)
	if r.Saved == nil || r.Saved.Count < 1 {
		t.Errorf("the run was saved %+v, want at least once", r.Saved)
	}
}

// Paced searches that resume under a static start and are saved before all parts are begun lose no
// node: the waiting parts are runs of pieces, which another run cannot find by their positions.
func TestPacedStaticStartIsSavedAgain(t *testing.T) {
	for _, scheme := range lb.SchemeNames() {
		if !strings.HasPrefix(scheme, "static") {
			continue
		}
		t.Run(scheme, func(t *testing.T) {
			file, saved := filepath.Join(t.TempDir(), "search"), 0
			for runs := 1; ; runs++ {
				p := pacedPlan(2+runs%3, scheme, "tree", pace.Rate{Node: 20_000})
				p.Checkpoint, p.Store = file, checkpoint.Files{}
				if runs > 1 {
					p.Resume = file
				}
				left := atomic.Int64{}
				left.Store(8 << runs)
				r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{Interrupted: func() bool { return left.Add(-1) < 0 }})
				if err != nil {
					t.Fatal(err)
				}
				if r.Why == lb.Interrupted {
					saved++
					continue
				}
				if r.Expanded != pacedNodes || saved < 2 {
					t.Fatalf("%d nodes in %d runs, want %d in 3 or more", r.Expanded, runs, pacedNodes)
				}
				return
			}
		})
	}
}

// A run warns if nodes take longer than their time.
func TestPacedRunWarns(t *testing.T) {
	slow := *pacedTree
	slow.Params.Granularity = 1000 // a node takes some 50 µs
	p := pacedPlan(1, "rp", "ring", pace.Rate{Node: 100})
	var warnings []string
	r, err := run.RunOnGoroutines(p, &slow, run.Hooks{Warn: func(_ int, text string) { warnings = append(warnings, text) }})
	checkPaced(t, r, err, p)
	if text := strings.Join(warnings, "; "); !strings.Contains(text, "too small for 1 rank at a pace of 100ns") || r.Pacing.BehindShare < 0.02 {
		t.Errorf("the warnings are %q, pacing %+v", text, r.Pacing)
	}
}

// A run that is stopped counts only the time that its nodes have taken.
func TestPacedRunThatStops(t *testing.T) {
	p := pacedPlan(2, "rp", "ring", pace.Rate{Node: 10e9})
	p.Timeout = 300 * time.Millisecond
	r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Expanded == 0 || r.Efficiency > 1.05 {
		t.Errorf("%d nodes in %v s, efficiency %v: expected at most 1", r.Expanded, r.Seconds, r.Efficiency)
	}
}

// Emulated messages that take long are no standstill.
func TestSlowMessagesAreNoStandstill(t *testing.T) {
	p := pacedPlan(6, "rp", "ring", pace.Rate{})
	p.Pace, p.Stall, p.Network = nil, time.Second, local.Network{Latency: 150e6}
	r, err := run.RunOnGoroutines(p, pacedTree, run.Hooks{})
	if err != nil || r.Expanded != pacedNodes {
		t.Errorf("%v, %+v: expected %d nodes", err, r, pacedNodes)
	}
}

// A simulation refuses a pace, and a plan refuses values that no run can follow.
func TestPaceIsRefused(t *testing.T) {
	p := pacedPlan(2, "rp", "ring", pace.Rate{Node: 1000})
	machine, err := machinefile.ParseMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.RunSimulation(machine, p, pacedTree, run.Hooks{}); err == nil || !strings.Contains(err.Error(), "--pace: a simulated machine") {
		t.Errorf("a simulation with a pace: %v", err)
	}
	for want, change := range map[string]func(p *run.Plan){
		"--pace: 0s: expected":                func(p *run.Plan) { p.Pace = pace.Rate{} },
		"--pace: -1ns: expected":              func(p *run.Plan) { p.Pace = pace.Rate{Node: -1} },
		"--pace: 11s: expected":               func(p *run.Plan) { p.Pace = pace.Rate{Node: 11e9} },
		"--pace-jitter: 1.5: expected":        func(p *run.Plan) { p.Pace = pace.Rate{Node: 1000, Jitter: 1.5} },
		"--pace-slow: rank 2=2: expected":     func(p *run.Plan) { p.Pace = pace.Rate{Node: 1000, Slow: map[int]float64{2: 2}} },
		"--pace-send: -1ns: expected":         func(p *run.Plan) { p.Pace = pace.Rate{Node: 1000, Send: -1} },
		"--pace-receive: 1µs: expected":       func(p *run.Plan) { p.Pace = pace.Rate{Receive: 1000} },
		"--sequential: true: expected":        func(p *run.Plan) { p.Sequential = true },
		"--latency: -1ns: expected":           func(p *run.Plan) { p.Network.Latency = -1 },
		"--bandwidth: 0.5: expected a number": func(p *run.Plan) { p.Network.Bandwidth = 0.5 },
	} {
		bad := p
		change(&bad)
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}
