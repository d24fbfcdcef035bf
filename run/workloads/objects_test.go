package workloads

import (
	"fmt"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/mapping/auto"
	"treesplit/mapping/objects"
	"treesplit/run"
	"treesplit/sim"
)

// objectsPlan returns a plan for ranks of the benchmark, which does not use schemes.
func objectsPlan(ranks int) run.Plan { return ringPlan(ranks) }

// ringBenchmark returns a benchmark with some thousand units of work per rank.
func ringBenchmark(seed uint64) objects.Benchmark {
	return objects.Benchmark{
		Objects: 60, Iterations: 6, Phases: 2, Work: 40, Bytes: 64, Seed: seed,
		Sizes: objects.Sizes[seed%3], Start: objects.Starts[seed/3%3],
	}
}

// observeObjects runs the benchmark on a simulated machine.
func observeObjects(t testing.TB, machine string, ranks int, w *Objects) (*run.Result, Observed) {
	t.Helper()
	m, err := sim.FindMachine(machine)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.RunSimulation(m, objectsPlan(ranks), w, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := w.ReadResult(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, o
}

// B6: the ring benchmark runs faster after remapping from measured loads. On the simulated
// nCUBE/2 and on simulated shared memory the second phase takes less time than the first,
// wherever objects start and however uneven they are. The time predicted for the map from the
// measurements is the time of the phase. In at most one run of twenty the strategy finds no
// better map. If objects stay, both phases take the same time, so the map causes the difference.
//
// Reference: Radhakrishnan et al., section 4.3; claim B6 of docs/claims.md.
func TestB6RemappingFromMeasuredLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("simulations, which have no goroutines")
	}
	runs, unchanged := 0, 0
	for _, machine := range []string{"ncube2", "sharedmemory"} {
		for _, p := range []int{2, 3, 4, 8, 13} {
			for seed := range uint64(9) {
				b := ringBenchmark(seed)
				w := &Objects{Benchmark: b, Strategy: "comm-greedy-refine"}
				r, o := observeObjects(t, machine, p, w)
				what := fmt.Sprintf("%s, %d ranks, %s, %s, seed %d", machine, p, b.Sizes, b.Start, seed)
				if r.Audit != "ok" || len(o.Phases) != 2 || o.Checksum != objects.Sequential(b) {
					t.Fatalf("%s: audit %s, %d phases, checksum %x", what, r.Audit, len(o.Phases), o.Checksum)
				}
				before, after := o.Phases[0], o.Phases[1]
				if runs++; after.Predicted == before.Makespan && after.Moved == 0 && after.Time == before.Time {
					unchanged++ // the strategy finds no better map
					continue
				}
				if after.Time >= before.Time {
					t.Errorf("%s: %v after %v", what, after.Time, before.Time)
				}
				if after.Predicted >= before.Makespan || after.Predicted != after.Makespan || before.Comp != after.Comp {
					t.Errorf("%s: makespan %d, predicted %d, then %d", what, before.Makespan, after.Predicted, after.Makespan)
				}
				if int64(after.Time) < after.Makespan || int64(before.Time) < before.Makespan {
					t.Errorf("%s: phases of %v and %v are shorter than their makespans, %d and %d", what, before.Time, after.Time, before.Makespan, after.Makespan)
				}
			}
			stay := &Objects{Benchmark: ringBenchmark(1), Strategy: Stay}
			_, o := observeObjects(t, machine, p, stay)
			if ratio := float64(o.Phases[0].Time) / float64(o.Phases[1].Time); ratio < 0.95 || ratio > 1.05 || o.Phases[1].Moved != 0 {
				t.Errorf("%s, %d ranks: where objects stay the phases take %v and %v", machine, p, o.Phases[0].Time, o.Phases[1].Time)
			}
		}
	}
	t.Logf("%d runs, in %d of which nothing moved", runs, unchanged)
	if unchanged*20 > runs {
		t.Errorf("in %d of %d runs no object was moved", unchanged, runs)
	}
}

// A simulated run is the same every time, and its measurements are exact: the load of an object
// is its units of work, 105 µs each on the nCUBE/2 (package sim).
func TestObjectsInVirtualTime(t *testing.T) {
	w := &Objects{Benchmark: ringBenchmark(5), Strategy: "comm-greedy-refine"}
	m, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	first, one := observeObjects(t, "ncube2", 5, w)
	_, two := observeObjects(t, "ncube2", 5, w)
	if a, b := fmt.Sprintf("%+v", one), fmt.Sprintf("%+v", two); a != b {
		t.Errorf("%s\nthen %s", a, b)
	}
	comp := int64(0)
	for _, ph := range one.Phases {
		comp += ph.Comp
	}
	if want := w.Benchmark.TotalUnits() * int64(m.Expand); comp != want || first.Expanded != w.Benchmark.TotalUnits() {
		t.Errorf("%d ns of computation in %d units, want %d", comp, first.Expanded, want)
	}
	if one.Costs.SendMessage != float64(m.Startup) || one.Costs.ReceiveMessage != float64(m.Receive) {
		t.Errorf("messages cost %+v", one.Costs)
	}
	given := &Objects{Benchmark: w.Benchmark, Strategy: "refine", Message: time.Millisecond}
	if _, o := observeObjects(t, "ncube2", 2, given); o.Costs.SendMessage != 1e6 || o.Costs.ReceiveMessage != 1e6 || o.Costs.SendByte != 0 {
		t.Errorf("messages cost %+v", o.Costs)
	}
}

// The costs of a piece on a measured machine are charged for objects that move, and not for messages between
// objects. The counted bytes are bytes of objects that move, as on real ranks.
func TestMessagesOfObjectsAreNoPieces(t *testing.T) {
	plain, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	measured := plain
	measured.Split, measured.Accept = 3*measured.Startup, 5*measured.Startup
	for _, strategy := range []string{Stay, "lpt"} {
		w := &Objects{Benchmark: ringBenchmark(5), Strategy: strategy}
		var times [2]comm.Time
		for i, m := range []sim.Machine{plain, measured} {
			r, err := run.RunSimulation(m, objectsPlan(5), w, run.Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			o, err := w.ReadResult(r)
			if err != nil {
				t.Fatal(err)
			}
			times[i] = o.Phases[0].Time
			if moves := o.Phases[1].Moved > 0; moves != (strategy != Stay) || (r.Bytes > 0) != moves || r.Bytes > 1<<14 {
				t.Errorf("%s: %d objects have moved, with %d bytes", strategy, o.Phases[1].Moved, r.Bytes)
			}
		}
		if times[0] != times[1] {
			t.Errorf("%s: the phase before the objects move takes %v, and %v on a machine where pieces have a cost", strategy, times[0], times[1])
		}
	}
}

// On goroutine ranks, also on more ranks than cores, objects have the states of the plain loop
// under every strategy. No object is lost, and no map is predicted to be worse than the previous
// map.
func TestObjectsOnGoroutines(t *testing.T) {
	for i, s := range append(auto.Strategies(), auto.Strategies()[0]) {
		p := 1 + i%5
		w := &Objects{Benchmark: ringBenchmark(uint64(i)), Strategy: s.Name, Time: 20 * time.Millisecond}
		if i == len(auto.Strategies()) {
			w.Strategy, p = Stay, 3
		}
		w.Benchmark.Phases = 1 + i%3
		plan := objectsPlan(p)
		plan.Sequential, plan.Stall = true, 20*time.Second
		r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
		if err != nil {
			t.Fatalf("%s: %v", w.Strategy, err)
		}
		o, err := w.ReadResult(r)
		if err != nil {
			t.Fatalf("%s: %v", w.Strategy, err)
		}
		if o.Loop == nil || *o.Loop != o.Checksum || r.SequentialSeconds <= 0 || r.Audit != "ok" || r.Scheme != w.Strategy || len(o.Phases) != w.Benchmark.Phases {
			t.Errorf("%s on %d ranks: %+v, %+v", w.Strategy, p, r, o)
		}
		for k, ph := range o.Phases {
			if k > 0 && ph.Predicted > o.Phases[k-1].Makespan || ph.Time <= 0 || ph.Comp <= 0 {
				t.Errorf("%s on %d ranks: phase %d is %+v after %+v", w.Strategy, p, k, ph, o.Phases[max(k-1, 0)])
			}
		}
		if p > 1 && (o.Costs.SendMessage <= 0 || o.Costs.ReceiveMessage <= 0) || p == 1 && o.Costs.SendMessage != 0 {
			t.Errorf("%d ranks: messages cost %+v", p, o.Costs)
		}
	}
}

// A run that has timed out reports its observations so far.
func TestObjectsOutOfTime(t *testing.T) {
	for _, p := range []int{1, 3} {
		w := &Objects{Benchmark: ringBenchmark(2), Strategy: "lpt"}
		w.Benchmark.Phases = 1 << 20
		plan := objectsPlan(p)
		plan.Timeout = 100 * time.Millisecond
		r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		o, err := w.ReadResult(r)
		if err != nil || r.Why != lb.Timeout || r.Audit != "ok" || o.Checksum != 0 || r.Expanded == 0 {
			t.Errorf("%d ranks: %v, %d phases, %v", p, r.Reason, len(o.Phases), err)
		}
	}
}

// Invalid parameters are refused.
func TestBadObjects(t *testing.T) {
	for name, change := range map[string]func(w *Objects){
		"benchmark": func(w *Objects) { w.Benchmark.Objects = 0 },
		"strategy":  func(w *Objects) { w.Strategy = "magic" },
		"time":      func(w *Objects) { w.Time = -1 },
		"message":   func(w *Objects) { w.Message = -1 },
	} {
		w := &Objects{Benchmark: ringBenchmark(1), Strategy: "auto"}
		change(w)
		if _, err := run.RunOnGoroutines(objectsPlan(1), w, run.Hooks{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// The measured costs of messages are the same on all ranks.
func TestMessageCostsAgree(t *testing.T) {
	const p = 4
	costs := make(chan string, p)
	for _, e := range local.New(p) {
		go func() {
			m, err := messageCosts(e, 100)
			costs <- fmt.Sprint(m, err)
		}()
	}
	first := <-costs
	for range p - 1 {
		if next := <-costs; next != first {
			t.Errorf("%s and %s", first, next)
		}
	}
}
