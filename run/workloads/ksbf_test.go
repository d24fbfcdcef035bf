package workloads

import (
	"slices"
	"sync"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/run"
	"treesplit/search"
)

// ringWorkloads returns computations of each kind, with about 10,000 tasks.
func ringWorkloads(t testing.TB) map[string]ksbf.Workload {
	t.Helper()
	root, err := ksbf.FindFunction("sqrt")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]ksbf.Workload{
		"tree":       ksbf.Complete{N: 13},
		"one task":   ksbf.Complete{N: 1},
		"grid":       ksbf.Grid{N: 120},
		"random":     ksbf.Random{Binary: 0.5, Levels: 256, Seed: 868},
		"chained":    ksbf.Bad{Family: "chained", Levels: 24, Weight: 3},
		"quadrature": ksbf.Quadrature{Function: root, To: 1, Tolerance: 1e-12, Resolution: 1e-9},
	}
}

func ringPlan(ranks int) run.Plan {
	return run.Plan{Ranks: ranks, Scheme: "rp", Termination: "ring", Topology: "ring", Seed: 1, Splitting: search.DefaultSplitting}
}

// neighbourly is a rank that may send only to its neighbours.
type neighbourly struct {
	*local.Endpoint
	t testing.TB
}

func (n neighbourly) Send(m comm.Message) {
	if to := int(m.To); to != (n.Rank()+1)%n.Size() && to != (n.Rank()+n.Size()-1)%n.Size() {
		n.t.Errorf("rank %d of %d sends %v to rank %d", n.Rank(), n.Size(), m.Kind, to)
	}
	n.Endpoint.Send(m)
}

// runRing runs on goroutine ranks that may send only to their neighbours.
func runRing(t testing.TB, p run.Plan, w ksbf.Workload, h run.Hooks) *run.Result {
	t.Helper()
	var wg sync.WaitGroup
	var result *run.Result
	for _, e := range local.New(p.Ranks) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r, err := run.RunOn(neighbourly{e, t}, p, &KSBF{w}, h, e.World().FailAllRanks)
			if err != nil {
				e.World().FailAllRanks(err)
				t.Error(err)
			}
			if r != nil {
				result = r
			}
		}()
	}
	wg.Wait()
	if result == nil {
		t.FailNow()
	}
	return result
}

// A run on goroutine ranks, with messages between neighbours only, executes on each rank the
// number of tasks of the simulation in steps. It computes the integral of the plain loop, bit for
// bit. Reference: Gao and Rosenberg, lemma 1.1.
func TestRingAgreesWithStepsAndLoop(t *testing.T) {
	for name, w := range ringWorkloads(t) {
		l := ksbf.NewLoop(w)
		for !l.Empty() {
			l.ExecuteTasks(1 << 20)
		}
		want := l.Tally()
		for _, p := range []int{1, 2, 3, 5} {
			steps, err := ksbf.Simulate("ks-bf", w, p, ksbf.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, quantum := range []int{0, 1, 7} {
				if testing.Short() && quantum != 7 {
					continue
				}
				plan := ringPlan(p)
				plan.Quantum = quantum
				r := runRing(t, plan, w, run.Hooks{})
				got := KSBFTally(r.Counts)
				if got.Nodes != want.Nodes || got.Leaves != want.Leaves || got.Depth != want.Depth || got.Sum.Float64() != want.Sum.Float64() ||
					r.Expanded != want.Nodes || r.Scheme != "ks-bf" || r.Termination != "round" || r.Audit != "ok" || r.Reason != "exhausted" {
					t.Errorf("%s, %d ranks, quantum %d: %+v, want %d tasks, integral %v", name, p, quantum, r, want.Nodes, want.Sum.Float64())
				}
				for i, one := range r.PerRank {
					if one.Expanded != steps.PerRank[i].Executed {
						t.Errorf("%s, %d ranks, quantum %d: rank %d executed %d tasks, %d in steps", name, p, quantum, i, one.Expanded, steps.PerRank[i].Executed)
					}
				}
				if p > 1 && r.Grants != steps.Moves {
					t.Errorf("%s, %d ranks, quantum %d: %d tasks passed on, %d in steps", name, p, quantum, r.Grants, steps.Moves)
				}
			}
		}
	}
}

// A run can be ended early. Its audit passes, and all ranks know the reason.
func TestRingHalts(t *testing.T) {
	for _, p := range []int{1, 2, 3, 5} {
		plan := ringPlan(p)
		plan.Timeout = 20 * time.Millisecond
		r := runRing(t, plan, ksbf.Complete{N: 62}, run.Hooks{})
		if r.Why != lb.Timeout || r.Audit != "ok" || r.Expanded == 0 {
			t.Errorf("%d ranks: %v after %d tasks", p, r.Why, r.Expanded)
		}
	}
}

// A run is unchanged by a watchdog and by progress reports, which send messages of their own. The
// plain loop before the run expands the same number of nodes.
func TestRingIsWatched(t *testing.T) {
	plan := ringPlan(3)
	plan.Stall, plan.Sequential = 20*time.Second, true
	var mu sync.Mutex
	var shown []int64
	r, err := run.RunOnGoroutines(plan, &KSBF{ksbf.Grid{N: 300}}, run.Hooks{Progress: func(p run.Progress) {
		mu.Lock()
		defer mu.Unlock()
		shown = append(shown, p.Expanded)
	}})
	if err != nil || r.Expanded != 300*301/2 || r.SequentialSeconds <= 0 || len(shown) == 0 || slices.Max(shown) != r.Expanded {
		t.Errorf("%+v, shown %v: %v", r, shown, err)
	}
	if _, err := run.RunOnGoroutines(plan, &KSBF{ksbf.Grid{}}, run.Hooks{}); err == nil {
		t.Error("a grid without tasks was accepted")
	}
}
