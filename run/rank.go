package run

import (
	"sync/atomic"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
)

// Hooks connect a run with the program that watches it. Any of them may be nil.
type Hooks struct {
	// Started describes how this process was started; nil: by its command line, unchanged.
	Started *Started
	// Begin is called on rank 0 before anything is read. It opens the output files. An error ends
	// the run on all ranks and must be an InputError. Begin must be nil on all ranks or on none.
	Begin func() error
	// Progress is called on rank 0 several times per second with the progress of the run. It must
	// be set on all ranks or on none.
	Progress func(Progress)
	// Step is called on rank 0 at the end of each search. An Iterated problem has several
	// searches, any other problem one.
	Step func(s Step)
	// Interrupted reports whether the run must end early.
	Interrupted func() bool
	// SaveNow reports, on rank 0, that the user has requested a checkpoint that was not written
	// yet. It has no effect in runs without checkpoints.
	SaveNow func() bool
	// SavesLose is called on rank 0 before the search, with the reason, if the search would not
	// continue its work in progress after a checkpoint that SaveNow requests.
	SavesLose func(why string)
	// Resumed is called on rank 0 before the search if it resumes a checkpoint, with the totals of all
	// earlier runs.
	Resumed func(earlier Totals)
	// Saved is called on rank 0 after each attempt to write a checkpoint. err is nil if the file is
	// complete.
	Saved func(s Saved, err error)
	// Log takes an error of one rank, for the user. Log and Warn may be called from any goroutine.
	Log func(rank int, err error)
	// Warn takes a warning of one rank about other ranks, for example that a rank is silent.
	Warn func(rank int, text string)
	// Note takes, on rank 0, information that is not an error.
	Note func(text string)

	meter     *meter       // makes the Progress, on rank 0; or nil
	searching *atomic.Bool // set when the search begins; nil: not needed
}

// reportStep reports a step, the number of nodes expanded up to its end, and the reason for its
// end.
func (h Hooks) reportStep(s Step, expanded int64, why lb.Reason) {
	h.meter.noteStepEnd(s, expanded, why)
	if h.Step != nil {
		h.Step(s)
	}
}

// runOneRank makes one rank's part of a run in any world. It makes the sequential run on rank 0
// if the plan requests it, then the search, step by step if the problem is Iterated. Then it
// audits the run and gathers the results. It returns the Result on rank 0 and nil on the other
// ranks.
func runOneRank(t comm.Transport, p Plan, problem Problem, from *resumePoint, logs Spool, h Hooks, stuck func(error)) (*Result, error) {
	if s, ok := problem.(Settled); ok {
		var err error
		if problem, err = s.On(t); err != nil {
			return nil, err
		}
		if from != nil {
			own := *from // goroutine ranks have it in common
			own.problem, from = problem, &own
		}
	}
	var sequential time.Duration
	if p.Sequential && t.Rank() == 0 {
		sequential = SearchSequentially(problem, h.Interrupted)
	}
	if err := t.Drain(nil); err != nil { // all ranks start together
		return nil, err
	}
	if h.searching != nil {
		h.searching.Store(true)
	}
	if own, ok := problem.(Protocol); ok {
		p.Scheme, p.Termination = own.Names()
	}
	if t.Rank() == 0 {
		h.meter = newProgressMeter(h.Progress)
	}
	p.Phase = p.pacedPhase()
	r := &realRank{Transport: t, plan: p, hooks: h, stuck: stuck, start: t.Now(), sequential: sequential}
	if p.Observer != nil {
		var err error
		if r.observer, r.start, err = p.Observer.ObserveRank(t); err != nil {
			return nil, err
		}
	}
	r.own.Rank = t.Rank()
	r.startPacer()
	r.saver = newCheckpointSaver(p, problem, from, r.start)
	e := engine{peers: t, ranks: r, plan: p, hooks: h, logs: logs, saver: r.saver}
	return e.runAllSteps(problem, from, r.start)
}

// leastBackoff is the shortest pause of a requester that all ranks have refused (package lb). It
// is about the time of one refusal between two processes.
const leastBackoff comm.Time = 20 * 1000

// beat is the time between two reports of the ranks to the user.
const beat comm.Time = 200 * 1e6

// newHaltCheck returns a function that reports whether the run must end early, because of the
// user or the timeout.
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

// SearchSequentially searches the whole tree of a problem, or of each problem of an Iterated one,
// in a plain loop without messages and detectors. It returns the time that it took. Parallel runs
// are compared with this time. If the search is interrupted or decided early, it returns the time
// until then. What was searched while the problem was loaded is searched again, and stays for the parallel run.
func SearchSequentially(problem Problem, interrupted func() bool) time.Duration {
	if b, ok := problem.(Begun); ok {
		problem = b.Afresh()
	}
	start, limit := time.Now(), 1
	for problem != nil {
		w := problem.Share(search.DefaultSplitting, true)
		decider, _ := search.As[search.Decider](w)
		for !w.Empty() && (decider == nil || !decider.Decided()) {
			if interrupted != nil && interrupted() {
				return time.Since(start)
			}
			limit = nextLimit(limit, func() { w.Expand(limit) })
		}
		problem = followingProblem(problem, problem.Count(w))
	}
	return time.Since(start)
}

// nextLimit calls expand, and returns the number of nodes of the next call after a call of limit
// nodes: twice as many, or half if the call took so long that the user would wait for its end. Nodes
// can become slower during a search.
func nextLimit(limit int, expand func()) int {
	start := time.Now()
	expand()
	if time.Since(start) > 50*time.Millisecond {
		return max(limit/2, 1)
	}
	return min(2*limit, 1<<20)
}
