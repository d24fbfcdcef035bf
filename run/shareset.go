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

// shareSet holds the shares that the ranks of an engine search in one segment, and their logs.
type shareSet struct {
	shares.Builder
	plan     Plan
	problem  Problem
	from     *resumePoint                // state that the search resumes; or nil
	requests func(rank int) *lb.Requests // returns the record of a rank's requests; or nil
	flushes  []func()                    // of the logs, one per share
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

// isDecided reports whether a share has found a witness that ends the search.
func (w *shareSet) isDecided() (yes bool) {
	w.Each(func(share search.Work) { yes = yes || search.Decided(share) })
	return yes
}

// optimises reports whether the shares search for a solution of least value.
func (w *shareSet) optimises() bool {
	_, ok := w.problem.(Optimising)
	return ok
}

// tallyShares adds up the counts and the witnesses of the shares.
func (w *shareSet) tallyShares() (t *tally, err error) {
	t = emptyTally()
	w.Each(func(share search.Work) { err = cmp.Or(err, t.addShareTally(w.problem, share)) })
	t.noteKnownBound(w.problem)
	if w.from != nil {
		t.known = min(t.known, w.from.Bound)
	}
	return t, err
}

// uncountedShare returns an empty share with which a static start samples the tree.
func (w *shareSet) uncountedShare() search.Work {
	share := w.problem.Share(w.plan.Splitting, false)
	if w.Pace != nil {
		share = w.Pace(share)
	}
	return share
}

// rankOptions returns the options of a rank that follow from the plan.
func (w *shareSet) rankOptions(rank int) lb.Options {
	p := w.plan
	o := lb.Options{
		Uncounted:   w.uncountedShare,
		Seed:        p.Seed,
		Delay:       comm.Time(p.Delay),
		Cutoff:      subtaskCutoff(p),
		Levels:      p.Levels,
		Arity:       p.Arity,
		Splits:      p.Splits,
		Cluster:     p.Cluster,
		Phase:       comm.Time(p.Phase),
		PhaseNodes:  p.PhaseNodes,
		Trigger:     p.Trigger,
		TriggerAt:   p.TriggerAt,
		Permutation: p.Permutation,

		RouteThroughScheduler: p.RouteThroughScheduler,
		EqualTargets:          p.EqualTargets,
	}
	w.FillOptions(&o, rank)
	if w.requests != nil {
		o.Requests = w.requests(rank)
	}
	return o
}

// newBalancer returns the balancer of a rank under the plan's scheme, with the rank's part of the
// work.
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

// defaultCutoff is the depth of subtasks if the plan names none.
const defaultCutoff = 8

// subtaskCutoff is the depth at which SL, ML and RA cut subtasks off.
func subtaskCutoff(p Plan) int {
	if p.Splitting.Cutoff > 0 {
		return p.Splitting.Cutoff
	}
	return defaultCutoff
}
