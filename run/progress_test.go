package run

import (
	"math"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/spmd"
	"treesplit/uts"
)

// journal keeps what a run tells of its progress, and checks it.
type journal struct {
	mu   sync.Mutex
	told []Progress
}

func (j *journal) hooks() Hooks {
	return Hooks{Progress: func(p Progress) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.told = append(j.told, p)
	}}
}

// check checks that nothing falls that must not, and returns the last share of the first
// search and the first.
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

func progressPlan(scheme string) Plan {
	return Plan{Ranks: 2, Scheme: scheme, Termination: "ring", Topology: "hypercube", Seed: 1, Splitting: search.DefaultSplitting, Splits: lb.AutoSplits, Stall: time.Minute}
}

// A run tells how far it is, under schemes that move work in all the ways there are; the
// last that it tells is the end of the search, or where it was stopped.
func TestProgressOfRuns(t *testing.T) {
	whole, want, _ := uts.Named("T1")
	endless, _, _ := uts.Named("T1WL")
	schemes := []string{"rp", "static+rp", "sl", "ra", "shuffle"}
	if testing.Short() {
		schemes = schemes[:1]
	}
	for _, scheme := range schemes {
		var j journal
		plan := progressPlan(scheme)
		r, err := RunLocal(plan, &UTS{whole}, j.hooks())
		if err != nil {
			t.Fatal(err)
		}
		if _, last := j.check(t); r.Expanded != want.Size || last != 1 {
			t.Errorf("%s: %d nodes, %v at last", scheme, r.Expanded, last)
		}
		j.told, plan.Timeout = nil, time.Second
		if r, err = RunLocal(plan, &UTS{endless}, j.hooks()); err != nil {
			t.Fatal(err)
		}
		if _, last := j.check(t); len(j.told) < 2 || last >= 1 || last <= 0 || j.told[len(j.told)-1].Expanded != r.Expanded {
			t.Errorf("%s: told %d times, %v at last", scheme, len(j.told), last)
		}
	}
}

// A simulation tells it too, and where it is in virtual time.
func TestProgressOfSimulations(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, for seconds")
	}
	machine, err := sim.ParseMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	p, want, _ := uts.Named("T1")
	plan := progressPlan("grr-m")
	plan.Ranks = 64
	var j journal
	r, err := RunSim(machine, plan, &UTS{p}, j.hooks())
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

// After a checkpoint the share goes on from where it was, whatever the scheme, and whether the
// number of nodes is known or not. The speed counts the new run alone.
func TestProgressGoesOn(t *testing.T) {
	p, want, _ := uts.Named("T1")
	p.Granularity = 10 // so that the time is up before the end
	for i, schemes := range [][2]string{{"rp", "rp"}, {"rp", "static+rp"}, {"static+rp", "rp"}} {
		if i > 0 {
			p.Seed, want.Size = 22, 2543506
		}
		file := filepath.Join(t.TempDir(), "saved")
		plan := progressPlan(schemes[0])
		plan.Checkpoint = file
		plan.Timeout = 300 * time.Millisecond
		var before, after journal
		r, err := RunLocal(plan, &UTS{p}, before.hooks())
		if err != nil {
			t.Fatal(err)
		}
		if r.Why != lb.Timeout {
			t.Fatalf("the search of %d nodes ended too soon", r.Expanded)
		}
		_, reached := before.check(t)
		plan = progressPlan(schemes[1])
		plan.Resume = file
		if r, err = RunLocal(plan, &UTS{p}, after.hooks()); err != nil {
			t.Fatal(err)
		}
		first, last := after.check(t)
		for _, told := range after.told {
			// The speed is taken over half of the time at least.
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

// The time left follows the recent speed, and is not told where it would be a guess.
// A search that is saved more often than ranks tell of themselves shows progress as any other.
func TestProgressOfSearchOftenSaved(t *testing.T) {
	endless, _, _ := uts.Named("T1WL")
	for _, scheme := range []string{"rp", "sl"} {
		var j journal
		plan := progressPlan(scheme)
		plan.Timeout = 6 * time.Duration(beat)
		plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "c"), time.Millisecond
		r, err := RunLocal(plan, &UTS{endless}, j.hooks())
		if err != nil {
			t.Fatal(err)
		}
		j.check(t)
		if first := j.told[0]; len(j.told) < 2 || first.Expanded == 0 || first.Expanded == r.Expanded || first.Open == 0 {
			t.Errorf("%s: told %d times, first %+v", scheme, len(j.told), first)
		}
	}
}

func TestTimeLeft(t *testing.T) {
	var steady pace
	steady.note(0, 0)
	for i := 1; i <= 4000; i++ { // 400 s at a thousandth a second
		at := float64(i) / 10
		left, ok := steady.left(at, at/1000)
		steady.note(at, at/1000)
		switch {
		case at < shortestPace && ok:
			t.Fatalf("%v s left after %v s", left, at)
		case at >= shortestPace && (!ok || math.Abs(left-(1000-at)) > 1e-6*1000):
			t.Fatalf("%v s left (%v) after %v s, want %v", left, ok, at, 1000-at)
		}
		if len(steady.samples) > 4*paceSamples {
			t.Fatalf("%d samples are kept", len(steady.samples))
		}
	}
	for i := 1; i <= 2000; i++ { // and then nothing for 200 s
		at := 400 + float64(i)/10
		left, ok := steady.left(at, 0.4)
		steady.note(at, 0.4)
		if at > 520 && ok {
			t.Fatalf("%v s left after %v s in which nothing was closed", left, at-400)
		}
	}
}

// Whatever ranks tell, what is shown is a share that does not fall.
func TestMeterTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shown := 0.0
		m := newMeter(func(p Progress) {
			if p.Done != nil && (*p.Done < shown || *p.Done >= 1) {
				t.Fatalf("%v after %v", *p.Done, shown)
			}
			if p.Done != nil {
				shown = *p.Done
			}
		})
		left := search.Size{Weight: rapid.Float64Range(0, 1.5).Draw(t, "left")}
		m.begin(5, nil, progressPlan(rapid.SampledFrom([]string{"rp", "static"}).Draw(t, "scheme")), &past{sizes: []search.Size{left}})
		for range 30 {
			m.beat(spmd.Progress{Known: rapid.Bool().Draw(t, "known"), Closed: rapid.Float64Range(0, 1).Draw(t, "closed")})
		}
	})
}

// Of a tree with a published size the share done is counted in nodes; of others it is an
// estimate, by weight, and marked as one.
func TestShareOfKnownSize(t *testing.T) {
	known, published, _ := uts.Named("T1XL")
	unknown := known
	unknown.Seed = 1
	nodes := published.Size * 39 / 1000
	for _, c := range []struct {
		params   uts.Params
		done     float64
		estimate bool
	}{{known, float64(nodes) / float64(published.Size), false}, {unknown, 0.286, true}} {
		var last Progress
		m := newMeter(func(p Progress) { last = p })
		m.begin(0, utsProblem{c.params}, progressPlan("rp"), nil)
		m.beat(spmd.Progress{Known: true, Closed: 0.286, Expanded: nodes})
		if last.Done == nil || *last.Done != c.done || last.Estimate != c.estimate {
			t.Errorf("%+v: %v, estimate %v, want %v, %v", c.params, *last.Done, last.Estimate, c.done, c.estimate)
		}
		m.stepped(published.Size, lb.Exhausted)
		if *last.Done != 1 || last.Estimate {
			t.Errorf("%+v: at the end %v, estimate %v", c.params, *last.Done, last.Estimate)
		}
	}
}

// Nodes of runs before are no part of the speed, and what they closed is none of the pace by
// which the time left is found.
func TestMeterOfResumedRun(t *testing.T) {
	const before, own = 1e12, 10
	var last Progress
	m := newMeter(func(p Progress) { last = p })
	m.resume(before)
	m.begin(before, nil, progressPlan("rp"), &past{sizes: []search.Size{{Weight: 0.25}}})
	if closed := m.share.samples[0].value; closed != 0.75 {
		t.Errorf("the pace begins at %v, want 0.75", closed)
	}
	m.beat(spmd.Progress{Expanded: own})
	if last.Expanded != before+own || last.NodesPerSecond*last.Seconds > 1.001*own {
		t.Errorf("%+v, of which this run has expanded %v nodes", last, own)
	}
}

// A simulation that goes on tells of the nodes of the runs before too, as its result does.
func TestProgressOfResumedSimulation(t *testing.T) {
	machine, err := sim.ParseMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	p, _, _ := uts.Named("T1")
	p.Depth = 8
	plan := progressPlan("rp")
	plan.Checkpoint = filepath.Join(t.TempDir(), "saved")
	asked := 0
	if _, err := RunSim(machine, plan, &UTS{p}, Hooks{Interrupted: func() bool { asked++; return asked > 1 }}); err != nil {
		t.Fatal(err)
	}
	plan.Resume, plan.Checkpoint = plan.Checkpoint, ""
	var j journal
	r, err := RunSim(machine, plan, &UTS{p}, j.hooks())
	if err != nil {
		t.Fatal(err)
	}
	j.check(t)
	last := j.told[len(j.told)-1]
	if r.Resumed.Expanded == 0 || last.Expanded != r.Expanded || r.NodesPerSecond != float64(r.Expanded-r.Resumed.Expanded)/r.Seconds {
		t.Errorf("%d nodes, %d before, %v per second in %v s, told %+v", r.Expanded, r.Resumed.Expanded, r.NodesPerSecond, r.Seconds, last)
	}
}
