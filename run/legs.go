package run

import (
	"treesplit/lb"
	"treesplit/run/checkpoint"
	"treesplit/search"
	"treesplit/spmd"
)

// resume takes in what the runs before have counted and returns the problem to go on with.
func (r *runner) resume(from *past) Problem {
	r.resumed, r.from = from, from
	if r.Rank() == 0 {
		r.logs.goOn(from)
	}
	r.expanded = from.Totals.Expanded
	r.hooks.meter.resume(r.expanded)
	for i, s := range from.Steps {
		step := restored(s, from.bounds[i])
		r.counts.add(step.Counts)
		r.steps = append(r.steps, step)
		if r.Rank() == 0 {
			r.hooks.stepped(step, r.expanded, lb.Exhausted)
		}
	}
	return from.problem
}

// pause takes what is left of a halted search out of all ranks and saves it on rank 0. It
// returns what the search can go on from, on all ranks, or nil where nothing is left, for
// the halt came when all was done; then that is the reason of the end.
func (r *runner) pause(work *shares, b lb.Balancer, step Step) (*past, error) {
	start := r.Now()
	settled := []int64{0}
	if work.settled() {
		settled[0] = 1
	}
	if err := r.Max(settled); err != nil {
		return nil, err
	}
	if settled[0] > 0 {
		r.own.Reason = lb.Decided
		return nil, nil
	}
	own := leftOn(b)
	pieces, err := r.collect(own)
	if err != nil {
		return nil, err
	}
	some := []int64{int64(len(pieces))} // on rank 0
	if err := r.Max(some); err != nil {
		return nil, err
	}
	if some[0] == 0 {
		r.own.Reason = lb.Exhausted
		return nil, nil
	}
	step.Seconds += seconds(r.Now() - r.began)
	next := &past{State: checkpoint.State{Pieces: pieces}, problem: work.problem}
	if err := r.save(next, step); err != nil {
		return nil, err
	}
	r.saver.saved.Seconds += seconds(r.Now() - start)
	if r.own.Reason == lb.Paused {
		err = r.stay(next, own)
	}
	r.saver.goOn(r.Now())
	return next, err
}

// stay has each rank keep what it had before the search was saved, where the scheme can go
// on so; otherwise all goes from rank 0, where it was brought together.
func (r *runner) stay(next *past, own [][]byte) error {
	if !lb.Keeps(r.plan.Scheme) {
		return next.spread(r, r.plan)
	}
	return spmd.Agree(r, next.keep(r.plan, r.Rank(), own))
}

// saveBefore saves the run between two steps: of the one to come all is left.
func (r *runner) saveBefore(problem Problem) error {
	start := r.Now()
	root := problem.Share(search.DefaultSplitting, true)
	next := &past{problem: problem}
	t, err := soloTally(problem, root)
	if err != nil {
		return err
	}
	step := newStep()
	step.join(t)
	search.Rest(root, func(p []byte) { next.Pieces = append(next.Pieces, p) })
	err = r.save(next, step)
	r.saver.goOn(r.Now())
	r.saver.saved.Seconds += seconds(r.saver.since - start)
	return err
}

// save writes what a search is to go on from, on rank 0, to which the pieces and the step are known.
func (r *runner) save(next *past, step Step) error {
	numbers := r.own.numbers()
	if err := r.Sum(numbers); err != nil {
		return err
	}
	next.Header = r.saver.header(r.steps, step, numbers, seconds(r.Now()-r.start))
	if failed := spmd.Agree(r, r.logs.handOver(r)); failed != nil { // the spool is full, which ends the run
		r.saver.failed = failed
		return nil
	}
	var err error
	if r.Rank() == 0 {
		if err = next.weigh(r.plan); err == nil {
			r.saver.try(next, r.logs, r.hooks, stopsAt(r.own.Reason))
		}
	}
	return spmd.Agree(r, err)
}

// leftOn takes out the pieces that are left on a rank.
func leftOn(b lb.Balancer) (pieces [][]byte) {
	b.(lb.Resumable).Rest(func(p []byte) { pieces = append(pieces, p) })
	return pieces
}

// collect brings the pieces of all ranks to rank 0.
func (r *runner) collect(own [][]byte) (pieces [][]byte, err error) {
	all, err := r.Gather(0, search.AppendPieces(nil, own))
	if err != nil {
		return nil, err
	}
	for _, data := range all {
		some, wrong := search.ParsePieces(data)
		if wrong != nil {
			err = wrong
		}
		pieces = append(pieces, some...)
	}
	return pieces, spmd.Agree(r, err)
}

// settled reports whether a share has met a witness that ends the search.
func (s *shares) settled() (yes bool) {
	s.each(func(w search.Work) { yes = yes || search.Decided(w) })
	return yes
}

// header says how far the search is: the steps that are over, the one at hand, and the
// numbers of this run and how long it has taken.
func (s *saver) header(steps []Step, step Step, numbers []int64, elapsed float64) checkpoint.Header {
	h := checkpoint.Header{Step: step.saved(), Bound: step.Bound, Totals: totals(numbers), Seconds: s.before.Seconds + elapsed}
	for _, s := range steps {
		h.Steps = append(h.Steps, s.saved())
	}
	h.Totals.Add(s.before.Totals)
	return h
}

// numbers are those of a rank's counts that are added up in checkpoints.
func (p RankResult) numbers() []int64 {
	return []int64{p.Expanded, p.Redundant, p.Requests, p.Grants, p.Rejects, p.Accepted, p.Bytes, p.Messages}
}

// totals are numbers, in the words of a checkpoint.
func totals(n []int64) checkpoint.Totals {
	return checkpoint.Totals{Expanded: n[0], Redundant: n[1], Requests: n[2], Grants: n[3], Rejects: n[4], Accepted: n[5], Bytes: n[6], Messages: n[7]}
}

// chain finds the speed of the run, then adds what the runs before have counted to the result,
// and says what was saved.
func (r *Result) chain(from *past, s *saver) {
	own := r.Expanded
	if from != nil {
		t := from.Totals
		r.add(RankResult{Messages: t.Messages, Stats: lb.Stats{
			Expanded: t.Expanded, Redundant: t.Redundant, Requests: t.Requests, Grants: t.Grants, Rejects: t.Rejects, Accepted: t.Accepted, Bytes: t.Bytes,
		}})
		r.Resumed = &Resumed{from.file, from.Sessions, t.Expanded, from.Seconds}
	}
	if r.Seconds > 0 {
		r.NodesPerSecond = float64(own) / r.Seconds
	}
	if s == nil {
		return
	}
	r.addTrouble(s.failed)
	if s.saved.Count > 0 {
		s.saved.Final = stopsAt(r.Why) && s.failed == nil
		r.Saved = &s.saved
	}
}
