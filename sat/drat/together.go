package drat

import "slices"

// A forward check on several workers divides the proof into parts. Every worker has a checker of
// its own, because propagation changes the clauses. It checks the parts that it gets first, and
// applies the other parts without a check (replay.go). Whether a lemma holds depends only on the
// clauses and on the literals of the top level before it. Both are the same on every worker, so
// this is true for RAT lemmas too.
//
// All workers together take no more memory than one may take. If the clauses become too many,
// workers retire.

// checkTogether checks the remaining steps of a proof with several workers.
func (c *checker) checkTogether(p *parser, name string, o Options) (Report, error) {
	c.backToLevel(0)
	workers := []worker{c}
	for len(workers) < o.Workers && c.Stays(len(workers)+1) {
		workers = append(workers, c.cloneChecker())
	}
	r := &partReader{parser: p, names: c.handOver(), division: c.division}
	q := newPartQueue(len(workers), c.division, c.report, o)
	p.busy = q.Run(workers, func() { r.readParts(q) })
	c.report = q.total
	c.refuted = false
	bytes := int64(0)
	for _, w := range workers[1:] {
		bytes += w.(*checker).makeReport().Bytes
	}
	end, err := c.endTogether(q, r, name, o)
	end.Bytes += bytes
	return end, err
}

// handOver gives the variables to another owner.
func (c *checker) handOver() normaliser {
	n := normaliser{variables: c.variables}
	n.in.growTo(c.variables.count)
	c.variables = variables{count: n.variables.count}
	return n
}

// endTogether makes the report, and reads the steps after the empty clause.
func (c *checker) endTogether(q *partQueue, r *partReader, name string, o Options) (Report, error) {
	k := q.last
	switch {
	case k != nil && k.failure != nil:
		return Report{}, placeErrorAt(k.failure, name, k.binary, k.steps[k.at].end)
	case k != nil:
		c.variables.count = k.lastSeen
		if !k.refuted {
			return c.makeReport(), nil
		}
	}
	<-r.busy
	r.busy = nil
	if k == nil {
		c.variables.count = r.names.variables.count
	} else {
		c.refuted = true
		c.report.Unused += q.countUnused()
	}
	if r.err != nil {
		return Report{}, placeError(r.err, name, r.parser)
	}
	o.Workers = 1
	return c.checkSteps(r.parser, name, o)
}

// Stays reports whether the memory suffices for a number of workers.
func (c *checker) Stays(workers int) bool { return workers*c.words <= c.most }

// cloneChecker returns a checker in the same state, which is at the top level.
func (c *checker) cloneChecker() *checker {
	d := newChecker()
	d.arena, d.buckets = slices.Clone(c.arena), slices.Clone(c.buckets)
	d.words, d.wasted, d.live, d.most = c.words, c.wasted, c.live, c.most
	d.values, d.level, d.reason = slices.Clone(c.values), slices.Clone(c.level), slices.Clone(c.reason)
	d.stale = slices.Clone(c.stale)
	d.pairs, d.watches = cloneLists(c.pairs), cloneLists(c.watches)
	d.queue, d.short, d.long = slices.Clone(c.queue), c.short, c.long
	d.variables.count, d.ours = c.variables.count, c.ours
	d.slack, d.room = c.slack, c.room
	return d
}

// cloneLists copies lists into one array.
func cloneLists[T any](lists [][]T) [][]T {
	size := 0
	for _, list := range lists {
		size += len(list)
	}
	all, copies := make([]T, 0, size), make([][]T, len(lists))
	for i, list := range lists {
		start := len(all)
		all = append(all, list...)
		copies[i] = all[start:len(all):len(all)]
	}
	return copies
}

// Check checks a part. It returns false if the check ends with it.
func (c *checker) Check(k *part) (more bool) {
	c.growTo(k.seen)
	c.report = Report{Binary: k.binary}
	k.lastSeen = k.before
	for k.at = range k.steps {
		if k.isInterrupted() || c.checkPartStep(k, k.at) {
			break
		}
	}
	k.report, k.refuted = c.report, c.refuted
	return !k.hasEnded()
}

// checkPartStep checks and applies a step of a part. It reports whether the check ends with it.
func (c *checker) checkPartStep(k *part, i int) (ends bool) {
	s, clause := &k.steps[i], k.clause(i)
	c.report.Step, c.report.Line, c.report.Offset = s.step, s.line, s.offset
	k.lastSeen = lastVariable(k.lastSeen, clause)
	if k.err != nil && i == len(k.steps)-1 {
		k.failure = k.err
		return true
	}
	c.setHashed(clause, s.hash)
	holds, err := c.applyClause(s.deletion)
	if err != nil {
		k.failure = err
		return true
	}
	if !holds {
		c.report.refuse(s.place, unjustified(k.line(i)))
	}
	return !holds || c.refuted
}
