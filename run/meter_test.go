package run

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/spmd"
)

// planOf is a plan with a scheme.
func planOf(scheme string) Plan {
	p := DefaultPlan(2)
	p.Scheme = scheme
	return p
}

func TestTimeLeft(t *testing.T) {
	var steady trend
	steady.noteValue(0, 0)
	for i := 1; i <= 4000; i++ { // 400 s at 0.001 per second
		at := float64(i) / 10
		left, ok := steady.secondsLeft(at, at/1000)
		steady.noteValue(at, at/1000)
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
	for i := 1; i <= 2000; i++ { // then no progress for 200 s
		at := 400 + float64(i)/10
		left, ok := steady.secondsLeft(at, 0.4)
		steady.noteValue(at, 0.4)
		if at > 520 && ok {
			t.Fatalf("%v s left after %v s in which nothing was closed", left, at-400)
		}
	}
}

// Whatever the ranks report, the share shown never falls.
func TestMeterTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shown := 0.0
		m := newProgressMeter(func(p Progress) {
			if p.Done != nil && (*p.Done < shown || *p.Done >= 1) {
				t.Fatalf("%v after %v", *p.Done, shown)
			}
			if p.Done != nil {
				shown = *p.Done
			}
		})
		left := search.Size{Weight: rapid.Float64Range(0, 1.5).Draw(t, "left")}
		m.beginSearch(5, nil, planOf(rapid.SampledFrom([]string{"rp", "static"}).Draw(t, "scheme")), &resumePoint{sizes: []search.Size{left}})
		for range 30 {
			m.takeReports(spmd.Progress{Known: rapid.Bool().Draw(t, "known"), Closed: rapid.Float64Range(0, 1).Draw(t, "closed")})
		}
	})
}

// sizedProblem is a problem with the given number of nodes; 0: unknown.
type sizedProblem struct {
	Problem
	nodes int64
}

func (p sizedProblem) Nodes() (n int64, known bool) { return p.nodes, p.nodes > 0 }

// In a tree of known size the closed share is counted in nodes. In other trees it is an estimate
// by weight, and marked as an estimate.
func TestShareOfKnownSize(t *testing.T) {
	const size, nodes = 1000, 39
	for _, c := range []struct {
		known    int64
		done     float64
		estimate bool
	}{{size, float64(nodes) / size, false}, {0, 0.286, true}} {
		var last Progress
		m := newProgressMeter(func(p Progress) { last = p })
		m.beginSearch(0, sizedProblem{nodes: c.known}, planOf("rp"), nil)
		m.takeReports(spmd.Progress{Known: true, Closed: 0.286, Expanded: nodes})
		if last.Done == nil || *last.Done != c.done || last.Estimate != c.estimate {
			t.Errorf("size %d: %v, estimate %v, want %v, %v", c.known, *last.Done, last.Estimate, c.done, c.estimate)
		}
		m.noteStepEnd(Step{}, size, lb.Exhausted)
		if *last.Done != 1 || last.Estimate {
			t.Errorf("size %d: at the end %v, estimate %v", c.known, *last.Done, last.Estimate)
		}
	}
}

// Nodes of earlier runs do not count for the speed. Their closed share does not count for the
// pace that gives the time left.
func TestMeterOfResumedRun(t *testing.T) {
	const before, own = 1e12, 10
	var last Progress
	m := newProgressMeter(func(p Progress) { last = p })
	m.noteNodesBefore(before)
	m.beginSearch(before, nil, planOf("rp"), &resumePoint{sizes: []search.Size{{Weight: 0.25}}})
	if closed := m.share.samples[0].value; closed != 0.75 {
		t.Errorf("the pace begins at %v, want 0.75", closed)
	}
	m.takeReports(spmd.Progress{Expanded: own})
	if last.Expanded != before+own || last.NodesPerSecond*last.Seconds > 1.001*own {
		t.Errorf("%+v, of which this run has expanded %v nodes", last, own)
	}
}

// watchedProblem is a problem with two watched sums.
type watchedProblem struct{ Problem }

func (watchedProblem) WatchedSums() map[string]int { return map[string]int{"b": 0, "a": 2} }

// Watched sums of the segments before the current one, and of all ranks in it, add up. At the end they
// are the sums of the search.
func TestWatchedSums(t *testing.T) {
	var last Progress
	m := newProgressMeter(func(p Progress) { last = p })
	expect := func(a, b int64) {
		t.Helper()
		if len(last.Counts) != 2 || last.Counts["a"] != a || last.Counts["b"] != b {
			t.Errorf("%v, want a %d and b %d", last.Counts, a, b)
		}
	}
	m.watchSums(watchedProblem{}, Counts{})
	m.beginSearch(0, watchedProblem{}, planOf("rp"), nil)
	m.takeReports(spmd.Progress{}) // before the first report of a rank
	expect(0, 0)
	m.takeReports(spmd.Progress{Counts: []int64{3, 4}})
	expect(3, 4)
	m.watchSums(watchedProblem{}, Counts{Sums: []int64{5, 100, 6}})
	m.takeReports(spmd.Progress{Counts: []int64{1, 2}})
	expect(7, 7)
	m.noteStepEnd(Step{Counts: Counts{Sums: []int64{9, 100, 8}}}, 50, lb.Exhausted)
	expect(8, 9)

	m.watchSums(sizedProblem{}, Counts{Sums: []int64{5}})
	m.takeReports(spmd.Progress{Counts: []int64{1, 2}})
	if last.Counts != nil {
		t.Errorf("%v of a problem without watched sums", last.Counts)
	}
}

// The best value is the value that rank 0 knows: of the ranks' reports during the search, of the saved search
// after a checkpoint, and of the whole search at the end. Without a solution there is none.
func TestBestValue(t *testing.T) {
	for _, best := range []int64{search.NoBound, 118} {
		var last Progress
		m := newProgressMeter(func(p Progress) { last = p })
		expect := func(when string, want int64) {
			t.Helper()
			if got := last.Best; (got == nil) != (want == search.NoBound) || got != nil && *got != want {
				t.Errorf("%s: %v, expected %d", when, got, want)
			}
		}
		m.start = m.start.Add(-time.Hour) // a report is due
		m.beginSearch(0, nil, planOf("rp"), &resumePoint{Checkpoint: Checkpoint{Header: Header{Bound: best}}})
		expect("after a checkpoint", best)
		for _, why := range []lb.Reason{lb.Exhausted, lb.Timeout} {
			m.takeReports(spmd.Progress{Bound: 120})
			expect("during the search", 120)
			m.noteStepEnd(Step{Bound: best}, 50, why)
			expect("at the end", best)
		}
	}
}
