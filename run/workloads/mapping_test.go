package workloads_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
)

// graph draws objects that compute for 1 to 100 and send messages to each other.
func graph(seed uint64, objects, processors, arcs int) *mapping.Problem {
	rng := rand.New(rand.NewPCG(seed, 11))
	p := &mapping.Problem{Processors: processors}
	for range objects {
		p.Objects = append(p.Objects, mapping.Object{Comp: 1 + rng.Int64N(100), Home: mapping.Nowhere})
	}
	for range arcs {
		p.Arcs = append(p.Arcs, mapping.Arc{
			From: int32(rng.IntN(objects)), To: int32(rng.IntN(objects)), Send: rng.Int64N(12), Receive: rng.Int64N(12), Proxy: int32(rng.IntN(5)) - 1,
		})
	}
	return p
}

func mustMachine(t *testing.T, name string) sim.Machine {
	t.Helper()
	m, err := sim.FindMachine(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mappingPlan(ranks int, scheme, detector string, seed uint64) run.Plan {
	return run.Plan{Ranks: ranks, Scheme: scheme, Termination: detector, Topology: "hypercube", Seed: seed, Splitting: search.DefaultSplitting, Stall: 20 * time.Second, Store: checkpoint.Files{}}
}

// On a simulated machine every scheme with every detector finds and proves the optimum, with
// bounds that ranks share. With the bound fixed at the optimum it expands the nodes of the
// sequential search.
func TestMappingSimulated(t *testing.T) {
	machine := mustMachine(t, "ncube2")
	ranks := []int{1, 2, 5, 16}
	if testing.Short() {
		ranks = []int{5}
	}
	p := graph(1, 14, 3, 30)
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := in.SolveSequentially(nil).Makespan
	fixed := bb.Options{Upper: best, Count: true}
	if in, err = bb.New(p, fixed); err != nil {
		t.Fatal(err)
	}
	w := in.SolveSequentially(nil).Expanded
	for i, scheme := range lb.SchemeNames() {
		for _, p1 := range ranks {
			plan := mappingPlan(p1, scheme, termination.DetectorNames()[(i+p1)%len(termination.DetectorNames())], uint64(p1))
			load := &workloads.Mapping{Problem: p}
			r, err := run.RunSimulation(machine, plan, load, run.Hooks{})
			if err != nil {
				t.Fatalf("%s, P = %d: %v", scheme, p1, err)
			}
			m, err := load.ReadResult(r)
			if err != nil || m.Makespan != best || m.Lower != best {
				t.Errorf("%s, P = %d: %+v, %v; the optimum is %d", scheme, p1, m, err, best)
			}
			r, err = run.RunSimulation(machine, plan, &workloads.Mapping{Problem: p, Options: fixed}, run.Hooks{})
			if err != nil || r.Expanded != w {
				t.Fatalf("%s, P = %d: %d nodes, %v; sequentially %d", scheme, p1, r.Expanded, err, w)
			}
		}
	}
}

// A run that begins with a map never returns a worse one. A run that is stopped reports a lower
// bound that is right.
func TestMappingStartsAndStops(t *testing.T) {
	p := graph(2, 60, 6, 150)
	start := make(mapping.Map, 60)
	for i := range start {
		start[i] = int32(i % 6)
	}
	plan := mappingPlan(3, "rp", "credit", 1)
	plan.Timeout = 100 * time.Millisecond
	load := &workloads.Mapping{Problem: p, Start: start}
	r, err := run.RunOnGoroutines(plan, load, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := load.ReadResult(r)
	if err != nil {
		t.Fatal(err)
	}
	if r.Why != lb.Timeout || m.Map == nil || m.Makespan > p.EvaluateMap(start).Makespan || m.Lower > m.Makespan || m.Lower <= 0 {
		t.Errorf("%v: %+v", r.Why, m)
	}

	small := graph(3, 10, 3, 20)
	in, err := bb.New(small, bb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := in.SolveSequentially(nil)
	load = &workloads.Mapping{Problem: small, Start: best.Map}
	if r, err = run.RunOnGoroutines(mappingPlan(3, "rp", "ring", 1), load, run.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if m, err = load.ReadResult(r); err != nil || r.Witness != nil || m.Makespan != best.Makespan || m.Lower != best.Makespan {
		t.Errorf("starting with the optimum %d: %+v, %v", best.Makespan, m, err)
	}
}

// Better is called with ever better makespans. The last one is the optimum. The search is
// otherwise unchanged.
func TestMappingTells(t *testing.T) {
	p := graph(5, 13, 3, 30)
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := in.SolveSequentially(nil)
	for _, scheme := range []string{"rp", "sl", "static+rp", "shuffle"} {
		last := int64(bb.None)
		load := &workloads.Mapping{Problem: p, Better: func(makespan int64) { last = min(last, makespan) }}
		r, err := run.RunSimulation(mustMachine(t, "ncube2"), mappingPlan(4, scheme, "ring", 1), load, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if m, err := load.ReadResult(r); err != nil || last != best.Makespan || m.Makespan != last || m.Lower != last {
			t.Errorf("%s: told of %d, found %+v, %v; the optimum is %d", scheme, last, m, err, best.Makespan)
		}
	}
}

// An invalid problem gives an input error.
func TestMappingRefuses(t *testing.T) {
	for want, load := range map[string]*workloads.Mapping{
		"expected a problem":       {},
		"expected 1 to 1048576":    {Problem: &mapping.Problem{}},
		"the map has 1 objects":    {Problem: graph(1, 2, 2, 0), Start: mapping.Map{0}},
		"expected 0 to 99":         {Problem: graph(1, 2, 2, 0), Options: bb.Options{Narrow: 100}},
		"expected a product of at": {Problem: graph(1, 2, 1<<25, 0)},
	} {
		_, err := run.RunOnGoroutines(mappingPlan(2, "rp", "ring", 1), load, run.Hooks{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// P processors search a P times larger space in the same time: on the simulated nCUBE/2 a search
// of W nodes keeps 16 ranks busy. Reference: Radhakrishnan et al., section 4.2 (claim B5).
func TestManyRanksSearchALargeSpace(t *testing.T) {
	machine := mustMachine(t, "ncube2")
	p := graph(7, 18, 4, 10)
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fixed := bb.Options{Upper: in.SolveSequentially(nil).Makespan, Count: true}
	r, err := run.RunSimulation(machine, mappingPlan(16, "rp", "credit", 1), &workloads.Mapping{Problem: p, Options: fixed}, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("W = %d, efficiency %.2f", r.Expanded, r.Efficiency)
	if r.Expanded < 10_000 || r.Efficiency < 0.65 {
		t.Errorf("W = %d: efficiency %.2f on 16 ranks", r.Expanded, r.Efficiency)
	}
}

// A simulated search for the best map that is saved many times always knows the best value. It
// ends with the map of a search that is never saved.
func TestSavedMappingKeepsItsBound(t *testing.T) {
	machine := mustMachine(t, "ncube2")
	p := graph(7, 12, 3, 10)
	plan := mappingPlan(4, "rp", "credit", 1)
	whole, err := run.RunSimulation(machine, plan, &workloads.Mapping{Problem: p}, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "checkpoint"), time.Duration(whole.Seconds*float64(time.Second)/8)
	saved, err := run.RunSimulation(machine, plan, &workloads.Mapping{Problem: p}, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if saved.Saved == nil || saved.Saved.Count < 2 || saved.Expanded < whole.Expanded/4 || len(saved.Witness) == 0 {
		t.Errorf("%+v, %d nodes, %d in one segment", saved.Saved, saved.Expanded, whole.Expanded)
	}
	state, _, err := checkpoint.Load(plan.Checkpoint)
	if err != nil || state.Bound <= 0 {
		t.Errorf("%v, %+v: expected a bound above 0", err, state)
	}
}

// A search that is interrupted before it finds a better map than its start saves the start. A run that resumes it with
// a worse start ends with the saved map. Without a saved map, as in files of older versions, it proves the saved
// makespan, and not the makespan of its own start.
func TestResumedMappingWithWorseStart(t *testing.T) {
	p := graph(1, 14, 3, 30)
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := in.SolveSequentially(nil)
	worse := make(mapping.Map, len(p.Objects))
	if p.EvaluateMap(worse).Makespan <= best.Makespan {
		t.Fatal("expected a start that is worse than the optimum")
	}
	plan := mappingPlan(2, "rp", "credit", 1)
	plan.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
	r, err := run.RunOnGoroutines(plan, &workloads.Mapping{Problem: p, Start: best.Map}, run.Hooks{Interrupted: func() bool { return true }})
	if err != nil || r.Saved == nil {
		t.Fatalf("%+v, %v: expected an interrupted search", r, err)
	}
	resume := func() workloads.Mapped {
		t.Helper()
		load, plan := &workloads.Mapping{Problem: p, Start: worse}, plan
		plan.Resume, plan.Checkpoint = plan.Checkpoint, ""
		r, err := run.RunOnGoroutines(plan, load, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := load.ReadResult(r)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := resume(); m.Makespan != best.Makespan || m.Lower != best.Makespan {
		t.Errorf("resumed: %+v, the optimum is %d", m, best.Makespan)
	}
	state, _, err := checkpoint.Load(plan.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	state.Step.Witness = nil
	if err := (checkpoint.Files{}).Save(plan.Checkpoint, state); err != nil {
		t.Fatal(err)
	}
	if m := resume(); m.Lower != best.Makespan || m.Makespan <= m.Lower {
		t.Errorf("resumed without the map: %+v, the optimum is %d", m, best.Makespan)
	}
}
