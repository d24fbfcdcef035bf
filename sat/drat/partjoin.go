package drat

import "treesplit/internal/parallel"

// partQueue gives the parts of a proof to the workers and joins their results in the order of the
// proof, so that the first step that does not hold is the one that one worker finds.
type partQueue struct {
	*parallel.Sequence[part]
	options Options
	total   Report
	last    *part // the part with which the check ended, or nil
}

// worker checks parts, or passes them, which for DRAT means that it applies the steps without a
// check.
type worker = parallel.Worker[part]

// newPartQueue returns an empty queue for a check that has reached a report.
func newPartQueue(workers int, d division, sofar Report, o Options) *partQueue {
	q := &partQueue{options: o, total: sofar}
	q.total.Workers = workers
	q.Sequence = parallel.NewSequence(workers, d.waiting, q.joinResult)
	return q
}

// joinResult adds the counts of a part. It returns false if the check ends with the part.
func (q *partQueue) joinResult(k *part) (more bool) {
	before := q.total.Step
	q.total.addCounts(k.report)
	if k.hasEnded() {
		q.last = k
		return false
	}
	if q.options.Progress != nil && q.total.Step/ProgressSteps > before/ProgressSteps {
		q.options.Progress(q.total)
	}
	return true
}

// emptyPart returns an empty part, in memory that is not used any more if there is some.
func (q *partQueue) emptyPart() *part {
	k := q.Reuse()
	if k == nil {
		return &part{options: q.options}
	}
	*k = part{options: q.options, steps: k.steps[:0], literals: k.literals[:0], numbers: k.numbers[:0], hints: k.hints[:0], clauses: k.clauses[:0]}
	return k
}

// countUnused returns the number of steps that have been read after the one that ended the check.
func (q *partQueue) countUnused() (n int64) {
	n = int64(len(q.last.steps) - q.last.at - 1)
	for _, k := range q.Unjoined() {
		n += int64(len(k.steps))
	}
	return n
}
