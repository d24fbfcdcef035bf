package workloads

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/pace"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/uts"
)

// journal records and checks the progress reports of a run.
type journal struct {
	mu   sync.Mutex
	told []run.Progress
}

func (j *journal) hooks() run.Hooks {
	return run.Hooks{Progress: func(p run.Progress) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.told = append(j.told, p)
	}}
}

// begun reports whether a report has come.
func (j *journal) begun() bool { return j.count() > 0 }

// count returns the number of reports.
func (j *journal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.told)
}

// until returns hooks that interrupt a run after n reports, the last of which has progress, however long
// they take.
func (j *journal) until(n int) run.Hooks {
	hooks := j.hooks()
	hooks.Interrupted = func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		last := len(j.told) - 1
		return last >= n-1 && j.told[last].Done != nil && *j.told[last].Done > 0
	}
	return hooks
}

// check checks that shares and counts never fall. It returns the first and the last share of the
// first search.
func (j *journal) check(t *testing.T) (first, last float64) {
	t.Helper()
	first = -1
	for i, p := range j.told {
		if p.Done == nil || *p.Done < 0 || *p.Done > 1 || p.IdleShare < 0 || p.IdleShare > 1 || p.Open < 0 || p.NodesPerSecond < 0 {
			t.Fatalf("line %d: %+v", i, p)
		}
		if p.SecondsLeft != nil && !(*p.SecondsLeft >= 0 && *p.SecondsLeft < 1e10) {
			t.Fatalf("line %d: %v s left", i, *p.SecondsLeft)
		}
		if i == 0 {
			first, last = *p.Done, *p.Done
			continue
		}
		before := j.told[i-1]
		if p.Seconds < before.Seconds || p.Expanded < before.Expanded || p.Search < before.Search || p.Search == before.Search && *p.Done < *before.Done {
			t.Fatalf("line %d: %+v after %+v", i, p, before)
		}
		last = *p.Done
	}
	return first, last
}

func progressPlan(scheme string) run.Plan {
	return run.Plan{Ranks: 2, Scheme: scheme, Termination: "ring", Topology: "hypercube", Seed: 1, Splitting: search.DefaultSplitting, Splits: lb.AutoSplits, Stall: time.Minute, Store: checkpoint.Files{}}
}

// A run reports its progress under schemes that move work in all ways. The last report is the end
// of the search, or the state at which it was stopped.
func TestProgressOfRuns(t *testing.T) {
	whole, want, _ := uts.FindSample("T1")
	endless, _, _ := uts.FindSample("T1WL")
	schemes := []string{"rp", "static+rp", "sl", "ra", "shuffle"}
	if testing.Short() {
		schemes = schemes[:1]
	}
	for _, scheme := range schemes {
		var j journal
		plan := progressPlan(scheme)
		r, err := run.RunOnGoroutines(plan, &UTS{whole}, j.hooks())
		if err != nil {
			t.Fatal(err)
		}
		if _, last := j.check(t); r.Expanded != want.Size || last != 1 {
			t.Errorf("%s: %d nodes, %v at last", scheme, r.Expanded, last)
		}
		j.told, plan.Timeout, plan.Pace = nil, time.Minute, pace.Rate{Node: 2000}
		if r, err = run.RunOnGoroutines(plan, &UTS{endless}, j.until(3)); err != nil {
			t.Fatal(err)
		}
		if _, last := j.check(t); r.Why != lb.Interrupted || last >= 1 || last <= 0 || j.told[len(j.told)-1].Expanded != r.Expanded {
			t.Errorf("%s: told %d times, %v at last", scheme, len(j.told), last)
		}
	}
}

// A simulation reports its progress and its virtual time.
func TestProgressOfSimulations(t *testing.T) {
	if testing.Short() {
		t.Skip("the simulations take seconds on one goroutine")
	}
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	p, want, _ := uts.FindSample("T1")
	plan := progressPlan("grr-m")
	plan.Ranks = 64
	var j journal
	r, err := run.RunSimulation(machine, plan, &UTS{p}, j.hooks())
	if err != nil {
		t.Fatal(err)
	}
	if _, last := j.check(t); r.Expanded != want.Size || last != 1 {
		t.Errorf("%d nodes, %v at last", r.Expanded, last)
	}
	virtual := 0.0
	for _, p := range j.told {
		if p.VirtualSeconds < virtual || p.VirtualSeconds > r.Seconds {
			t.Errorf("%v s of virtual time after %v, of %v", p.VirtualSeconds, virtual, r.Seconds)
		}
		virtual = p.VirtualSeconds
	}
}

// After a checkpoint the share continues from its last value, under every scheme, for known and
// unknown numbers of nodes. The speed counts the new run only.
func TestProgressGoesOn(t *testing.T) {
	p, want, _ := uts.FindSample("T1")
	slow := pace.Rate{Node: 900} // so that the first report, after 200 ms, comes before the end on a fast machine too
	pairs := [][2]string{{"rp", "rp"}, {"rp", "static+rp"}, {"static+rp", "rp"}}
	if testing.Short() {
		pairs = pairs[:1]
	}
	for i, schemes := range pairs {
		if i > 0 {
			p.Seed, want.Size = 22, 2543506
		}
		file := filepath.Join(t.TempDir(), "saved")
		plan := progressPlan(schemes[0])
		plan.Pace, plan.Checkpoint = slow, file
		var before, after journal
		hooks := before.hooks()
		hooks.Interrupted = before.begun
		r, err := run.RunOnGoroutines(plan, &UTS{p}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		if r.Why != lb.Interrupted {
			t.Fatalf("the search of %d nodes ended too soon", r.Expanded)
		}
		_, reached := before.check(t)
		plan = progressPlan(schemes[1])
		plan.Pace, plan.Resume = slow, file
		if r, err = run.RunOnGoroutines(plan, &UTS{p}, after.hooks()); err != nil {
			t.Fatal(err)
		}
		first, last := after.check(t)
		for _, told := range after.told {
			// The speed is measured over at least half of the time.
			if most := 2 * float64(told.Expanded-r.Resumed.Expanded); told.NodesPerSecond*told.Seconds > most*(1+1e-9) {
				t.Errorf("%v: %+v, after %d nodes in the run before", schemes, told, r.Resumed.Expanded)
			}
			if told.Estimate != (i > 0 && *told.Done < 1) {
				t.Errorf("%v: an estimate: %v, of a known number of nodes: %v", schemes, told.Estimate, i == 0)
			}
		}
		if got := float64(want.Size-r.Resumed.Expanded) / r.Seconds; r.NodesPerSecond != got {
			t.Errorf("%v: %v nodes per second, want %v", schemes, r.NodesPerSecond, got)
		}
		if r.Expanded != want.Size || last != 1 || first < reached-1e-9 {
			t.Errorf("%v: %d nodes, %v reached, then from %v to %v", schemes, r.Expanded, reached, first, last)
		}
	}
}

// A search that is saved more often than ranks report shows progress like any other search.
func TestProgressOfSearchOftenSaved(t *testing.T) {
	endless, _, _ := uts.FindSample("T1WL")
	for _, scheme := range []string{"rp", "sl"} {
		var j journal
		plan := progressPlan(scheme)
		plan.Timeout = time.Minute
		plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "c"), time.Millisecond
		r, err := run.RunOnGoroutines(plan, &UTS{endless}, j.until(2))
		if err != nil {
			t.Fatal(err)
		}
		j.check(t)
		if first := j.told[0]; r.Why != lb.Interrupted || first.Expanded == 0 || first.Expanded == r.Expanded || first.Open == 0 {
			t.Errorf("%s: told %d times, first %+v", scheme, len(j.told), first)
		}
	}
}

// unsized is a problem whose shares are no search.Sizer.
type unsized struct{ run.Savable }

func (u unsized) Share(split search.Splitting, root bool) search.Work {
	return struct{ search.Packer }{u.Savable.Share(split, root).(search.Packer)}
}
func (unsized) Count(search.Work) run.Counts { return run.Counts{} }
func (unsized) Witness(search.Work) []byte   { return nil }

// Without weights of the nodes no part of the tree is reported as done, also after a checkpoint and in a resumed run.
func TestProgressWithoutWeights(t *testing.T) {
	endless, _, _ := uts.FindSample("T1WL")
	problem, err := (&UTS{endless}).Load()
	if err != nil {
		t.Fatal(err)
	}
	plan := progressPlan("rp")
	plan.Timeout = time.Minute
	plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "c"), 500*time.Millisecond
	for range 2 {
		var j journal
		hooks := j.hooks()
		hooks.Interrupted = func() bool { return j.count() >= 4 }
		r, err := run.RunOnGoroutines(plan, run.Loaded{Problem: unsized{problem.(run.Savable)}}, hooks)
		if err != nil || r.Why != lb.Interrupted {
			t.Fatal(r.Why, err)
		}
		for _, p := range j.told {
			if p.Done != nil || p.SecondsLeft != nil || p.Open != 0 {
				t.Fatalf("%+v", p)
			}
		}
		plan.Resume = plan.Checkpoint
	}
}

// A resumed simulation includes the nodes of earlier runs in its progress, as in its result.
func TestProgressOfResumedSimulation(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	p, _, _ := uts.FindSample("T1")
	p.Depth = 8
	plan := progressPlan("rp")
	plan.Checkpoint = filepath.Join(t.TempDir(), "saved")
	asked := 0
	if _, err := run.RunSimulation(machine, plan, &UTS{p}, run.Hooks{Interrupted: func() bool { asked++; return asked > 1 }}); err != nil {
		t.Fatal(err)
	}
	plan.Resume, plan.Checkpoint = plan.Checkpoint, ""
	var j journal
	r, err := run.RunSimulation(machine, plan, &UTS{p}, j.hooks())
	if err != nil {
		t.Fatal(err)
	}
	j.check(t)
	last := j.told[len(j.told)-1]
	if r.Resumed.Expanded == 0 || last.Expanded != r.Expanded || r.NodesPerSecond != float64(r.Expanded-r.Resumed.Expanded)/r.Seconds {
		t.Errorf("%d nodes, %d before, %v per second in %v s, told %+v", r.Expanded, r.Resumed.Expanded, r.NodesPerSecond, r.Seconds, last)
	}
}
