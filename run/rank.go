package run

import (
	"math"
	"math/bits"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
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
	// Interrupted says that the run is to end early.
	Interrupted func() bool
	// Log takes what a rank wants a person to know, an error of that rank's own.
	Log func(rank int, err error)
	// Warn takes what a rank has noticed of others, such as that one of them is silent.
	Warn func(rank int, text string)
	// Note takes on rank 0 what is good to know and nothing wrong.
	Note func(text string)

	meter *meter // what Progress is told through, on rank 0; or nil
}

// stepped tells of a step, of the nodes expanded up to its end, and why it has ended.
func (h Hooks) stepped(s Step, expanded int64, why lb.Reason) {
	h.meter.stepped(expanded, why)
	if h.Step != nil {
		h.Step(s)
	}
}

// runRank is one rank's life in any world: the sequential run on rank 0, if it is
// wanted, then the search itself, step by step where it is Iterated, the audits, and
// the gathering of results. The Result is rank 0's; it is nil elsewhere.
func runRank(t comm.Transport, p Plan, problem Problem, from *past, logs *spool, h Hooks, stuck func(error)) (*Result, error) {
	if s, ok := problem.(Settled); ok {
		var err error
		if problem, err = s.On(t); err != nil {
			return nil, err
		}
	}
	var sequential time.Duration
	if p.Sequential && t.Rank() == 0 {
		sequential = Sequential(problem, h.Interrupted)
	}
	if err := t.Drain(nil); err != nil { // all start together
		return nil, err
	}
	if own, ok := problem.(Protocol); ok {
		p.Scheme, p.Termination = own.Names()
	}
	if t.Rank() == 0 {
		h.meter = newMeter(h.Progress)
	}
	r := &realRank{Transport: t, plan: p, hooks: h, stuck: stuck, start: t.Now(), sequential: sequential}
	if err := r.observe(); err != nil {
		return nil, err
	}
	r.own.Rank = t.Rank()
	r.saver = newSaver(p, problem, from, r.start)
	e := engine{peers: t, ranks: r, plan: p, hooks: h, logs: logs, saver: r.saver}
	return e.run(problem, from, r.start)
}

// shares makes a rank's shares of the work and remembers them, so that what they
// have counted can be added up.
type shares struct {
	plan     Plan
	problem  Problem
	from     *past                       // what the search goes on from; or nil
	logs     *spool                      // for a proof; or nil
	requests func(rank int) *lb.Requests // or nil
	made     []search.Work
	flushes  []func() // of their logs
}

// main makes the share that a rank begins with.
func (s *shares) main(rank int) search.Work {
	if s.from != nil && s.from.kept != nil {
		return s.forest(s.from.kept[rank], true)
	}
	return s.make(rank == 0)
}

// make makes a share, of the root or of all that the search goes on from, or an empty one.
func (s *shares) make(root bool) search.Work {
	if s.from != nil {
		return s.forest(hoard{s.from.Pieces, s.from.sizes}, root)
	}
	w := s.damaged(root)
	s.made = append(s.made, w)
	return w
}

// forest makes a share of a search that goes on: of these pieces, or an empty one.
func (s *shares) forest(h hoard, root bool) search.Work {
	w := search.NewForest(s.damaged(false), h.pieces, h.sizes, root)
	s.made = append(s.made, w)
	return w
}

// damaged makes a share, damaged if the plan says so.
func (s *shares) damaged(root bool) search.Work {
	a := s.plan.Damage
	w := s.plain(root)
	if a > 0 && a < 1 && s.plan.Splitting.Rule != search.Bottom {
		w = search.NewDamaged(w, a, func() search.Work { return s.plain(false) })
	}
	return w
}

// plain makes a share of the workload's own. Of a search that goes on it is empty, but
// knows the best value, and accepts what any scheme may have left.
func (s *shares) plain(root bool) search.Work {
	split := s.plan.Splitting
	if a := s.plan.Damage; a > 0 && split.Rule == search.Bottom {
		split.Skip = int(math.Ceil(-math.Log2(a)))
	}
	if s.from == nil {
		return s.logged(split, root)
	}
	w := s.logged(split, false)
	search.TightenTo(w, s.from.Bound)
	if search.Has[search.Bisecter](w) {
		return lb.AcceptParts(w)
	}
	return w
}

// logged makes a share that keeps a log where one is wanted.
func (s *shares) logged(split search.Splitting, root bool) search.Work {
	w := s.problem.Share(split, root)
	if s.logs != nil {
		s.flushes = append(s.flushes, s.problem.(Certified).LogTo(w, s.logs.sink()))
	}
	return w
}

// flush completes the logs.
func (s *shares) flush() {
	for _, flush := range s.flushes {
		flush()
	}
}

// each calls f for every share, those within damaged ones too.
func (s *shares) each(f func(search.Work)) {
	for _, w := range s.made {
		search.Each(w, f)
	}
}

func balancer(p Plan, work *shares, rank, size int) (lb.Balancer, error) {
	detector, err := termination.New(p.Termination, rank, size)
	if err != nil {
		return nil, err
	}
	network, err := topology.Parse(p.Topology, size)
	if err != nil {
		return nil, err
	}
	o := work.options(rank)
	o.Detector, o.Network, o.Rest = detector, network, rest
	return lb.New(p.Scheme, o, rank, size)
}

// options are those of a rank that the plan decides.
func (s *shares) options(rank int) lb.Options {
	p := s.plan
	if s.from != nil { // a part is a piece, or none
		p.Splits = bits.Len(uint(len(s.from.Pieces)))
	}
	return lb.Options{
		Work:        s.main(rank),
		Kept:        s.from != nil && s.from.kept != nil,
		Fresh:       func() search.Work { return s.make(false) },
		Probe:       func() search.Work { return s.problem.Share(p.Splitting, false) },
		Seed:        p.Seed,
		Delay:       comm.Time(p.Delay),
		Cutoff:      cutoff(p),
		Levels:      p.Levels,
		Splits:      p.Splits,
		Cluster:     p.Cluster,
		Phase:       comm.Time(p.Phase),
		PhaseNodes:  p.PhaseNodes,
		Trigger:     p.Trigger,
		TriggerAt:   p.TriggerAt,
		Permutation: p.Permutation,
		Requests:    s.noted(rank),

		RouteThroughScheduler: p.RouteThroughScheduler,
	}
}

// defaultCutoff is the depth of subtasks where the plan names none.
const defaultCutoff = 8

// cutoff is the depth at which SL, ML and RA cut subtasks off.
func cutoff(p Plan) int {
	if p.Splitting.Cutoff > 0 {
		return p.Splitting.Cutoff
	}
	return defaultCutoff
}

// rest is the shortest rest of a requester that everybody has refused (package
// lb): about what it takes to be refused once between two processes.
const rest comm.Time = 20 * 1000

// beat is how often ranks report to a person who watches.
const beat comm.Time = 200 * 1e6

// halting says whether a run is to end early, by a person or by time.
func halting(p Plan, h Hooks, start comm.Time, now func() comm.Time) func() (lb.Reason, bool) {
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

// Sequential searches the whole tree, or one after the other, in one plain loop, without messages and
// detectors, and returns how long it took: what parallel runs are measured
// against. A run that is interrupted or decided early returns what it took so
// far.
func Sequential(problem Problem, interrupted func() bool) time.Duration {
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
		problem = following(problem, problem.Count(w))
	}
	return time.Since(start)
}
