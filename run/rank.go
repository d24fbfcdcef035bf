package run

import (
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
)

// Hooks connect a run with whoever watches it. Any of them may be nil.
type Hooks struct {
	// Started is how this process was started; nil: its command line as it is.
	Started *Started
	// Begin is called on rank 0 before anything is read. It opens what is to be written in
	// the end; an error ends the run on all ranks and must be an InputError. It must be
	// nil on all ranks or on none.
	Begin func() error
	// Progress is told on rank 0, several times a second, how far the run is. It must be set
	// on all ranks, or on none.
	Progress func(Progress)
	// Step is told on rank 0 of each search of an Iterated problem when it is over, and
	// of the one search of any other.
	Step func(s Step)
	// Interrupted reports whether the run is to end early.
	Interrupted func() bool
	// Log takes what a rank wants a person to know, an error of that rank's own.
	Log func(rank int, err error)
	// Warn takes what a rank has noticed of others, such as that one of them is silent.
	Warn func(rank int, text string)
	// Note takes on rank 0 what is good to know and nothing wrong.
	Note func(text string)

	meter *meter // what Progress is told through, on rank 0; or nil
}

// reportStep tells of a step, of the nodes expanded up to its end, and why it has ended.
func (h Hooks) reportStep(s Step, expanded int64, why lb.Reason) {
	h.meter.noteStepEnd(expanded, why)
	if h.Step != nil {
		h.Step(s)
	}
}

// runOneRank is one rank's life in any world: the sequential run on rank 0, if it is
// wanted, then the search itself, step by step where it is Iterated, the audits, and
// the gathering of results. The Result is rank 0's; it is nil elsewhere.
func runOneRank(t comm.Transport, p Plan, problem Problem, from *resumePoint, logs Spool, h Hooks, stuck func(error)) (*Result, error) {
	if s, ok := problem.(Settled); ok {
		var err error
		if problem, err = s.On(t); err != nil {
			return nil, err
		}
	}
	var sequential time.Duration
	if p.Sequential && t.Rank() == 0 {
		sequential = SearchSequentially(problem, h.Interrupted)
	}
	if err := t.Drain(nil); err != nil { // all start together
		return nil, err
	}
	if own, ok := problem.(Protocol); ok {
		p.Scheme, p.Termination = own.Names()
	}
	if t.Rank() == 0 {
		h.meter = newProgressMeter(h.Progress)
	}
	r := &realRank{Transport: t, plan: p, hooks: h, stuck: stuck, start: t.Now(), sequential: sequential}
	if p.Observer != nil {
		var err error
		if r.observer, r.start, err = p.Observer.ObserveRank(t); err != nil {
			return nil, err
		}
	}
	r.own.Rank = t.Rank()
	r.saver = newCheckpointSaver(p, problem, from, r.start)
	e := engine{peers: t, ranks: r, plan: p, hooks: h, logs: logs, saver: r.saver}
	return e.runAllSteps(problem, from, r.start)
}

// leastBackoff is the shortest pause of a requester that everybody has refused (package
// lb): about what it takes to be refused once between two processes.
const leastBackoff comm.Time = 20 * 1000

// beat is how often ranks report to a person who watches.
const beat comm.Time = 200 * 1e6

// newHaltCheck reports whether a run is to end early, by a person or by time.
func newHaltCheck(p Plan, h Hooks, start comm.Time, now func() comm.Time) func() (lb.Reason, bool) {
	interrupted, timeout := h.Interrupted, comm.Time(p.Timeout)
	if interrupted == nil {
		interrupted = func() bool { return false }
	}
	return func() (lb.Reason, bool) {
		switch {
		case interrupted():
			return lb.Interrupted, true
		case timeout > 0 && now()-start >= timeout:
			return lb.Timeout, true
		}
		return lb.Exhausted, false
	}
}

// SearchSequentially searches the whole tree, or one after the other, in one plain loop, without
// messages and detectors, and returns how long it took: what parallel runs are measured against. A
// run that is interrupted or decided early returns what it took so far.
func SearchSequentially(problem Problem, interrupted func() bool) time.Duration {
	start := time.Now()
	for problem != nil {
		w := problem.Share(search.DefaultSplitting, true)
		decider, _ := search.As[search.Decider](w)
		for !w.Empty() && (decider == nil || !decider.Decided()) {
			if interrupted != nil && interrupted() {
				return time.Since(start)
			}
			w.Expand(1 << 20)
		}
		problem = followingProblem(problem, problem.Count(w))
	}
	return time.Since(start)
}
