package run

import (
	"cmp"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// shareSet is what the ranks of an engine search in one segment: their shares, and what these log.
type shareSet struct {
	shares.Builder
	plan     Plan
	problem  Problem
	from     *resumePoint                // what the search goes on from; or nil
	requests func(rank int) *lb.Requests // what a rank's scheme notes its requests in; or nil
	flushes  []func()                    // of the logs
}

// newShareSet returns the shares of a segment. logs is the spool for a proof, or nil.
func newShareSet(p Plan, problem Problem, from *resumePoint, logs Spool) *shareSet {
	w := &shareSet{plan: p, problem: problem, from: from}
	w.Share, w.Splitting, w.Damage = problem.Share, p.Splitting, p.Damage
	if from != nil {
		w.From = &shares.Remainder{Left: shares.Pieces{Pieces: from.Pieces, Sizes: from.sizes}, Kept: from.kept, Bound: from.Bound}
	}
	if logs != nil {
		w.Wrap = func(share search.Work) search.Work {
			w.flushes = append(w.flushes, problem.(Certified).LogTo(share, logs.Sink()))
			return share
		}
	}
	return w
}

// flushLogs completes the logs.
func (w *shareSet) flushLogs() {
	for _, flush := range w.flushes {
		flush()
	}
}

// isDecided reports whether a share has met a witness that ends the search.
func (w *shareSet) isDecided() (yes bool) {
	w.Each(func(share search.Work) { yes = yes || search.Decided(share) })
	return yes
}

// optimises reports whether the shares look for a solution of the least value.
func (w *shareSet) optimises() bool {
	_, ok := w.problem.(Optimising)
	return ok
}

// tallyShares adds up what the shares have counted and found.
func (w *shareSet) tallyShares() (t *tally, err error) {
	t = emptyTally()
	w.Each(func(share search.Work) { err = cmp.Or(err, t.addShareTally(w.problem, share)) })
	t.noteKnownBound(w.problem)
	if w.from != nil {
		t.known = min(t.known, w.from.Bound)
	}
	return t, err
}

// rankOptions are those of a rank that the plan decides.
func (w *shareSet) rankOptions(rank int) lb.Options {
	p := w.plan
	o := lb.Options{
		Probe:       func() search.Work { return w.problem.Share(p.Splitting, false) },
		Seed:        p.Seed,
		Delay:       comm.Time(p.Delay),
		Cutoff:      subtaskCutoff(p),
		Levels:      p.Levels,
		Splits:      p.Splits,
		Cluster:     p.Cluster,
		Phase:       comm.Time(p.Phase),
		PhaseNodes:  p.PhaseNodes,
		Trigger:     p.Trigger,
		TriggerAt:   p.TriggerAt,
		Permutation: p.Permutation,

		RouteThroughScheduler: p.RouteThroughScheduler,
	}
	w.FillOptions(&o, rank)
	if w.requests != nil {
		o.Requests = w.requests(rank)
	}
	return o
}

// newBalancer makes a rank of the plan's scheme that searches its part of the work.
func newBalancer(p Plan, work *shareSet, rank, size int) (lb.Balancer, error) {
	detector, err := termination.New(p.Termination, rank, size)
	if err != nil {
		return nil, err
	}
	network, err := topology.Parse(p.Topology, size)
	if err != nil {
		return nil, err
	}
	o := work.rankOptions(rank)
	o.Detector, o.Network, o.Backoff = detector, network, leastBackoff
	return lb.New(p.Scheme, o, rank, size)
}

// defaultCutoff is the depth of subtasks where the plan names none.
const defaultCutoff = 8

// subtaskCutoff is the depth at which SL, ML and RA cut subtasks off.
func subtaskCutoff(p Plan) int {
	if p.Splitting.Cutoff > 0 {
		return p.Splitting.Cutoff
	}
	return defaultCutoff
}
