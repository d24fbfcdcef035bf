package drat

// A check of an LRAT proof on several workers divides the proof into parts. One goroutine reads the
// parts, enters and deletes the clauses in the table, and finds the clauses of the hints. The
// workers check the lemmas. A clause in the table does not change, and the table is compacted when
// no worker has a part, so that all workers use one table.
type hintWorker struct{ hintProver }

// checkTogether checks the remaining steps of a proof with several workers.
func (c *hintChecker) checkTogether(p *hintParser, name string, o Options) (Report, error) {
	workers := make([]worker, o.Workers)
	for i := range workers {
		workers[i] = &hintWorker{newHintProver()}
	}
	r := &hintReader{hintChecker: c, hintParser: p}
	so := c.makeReport()
	q := newPartQueue(len(workers), c.division, so, o)
	c.shared = true
	p.busy = q.Run(workers, func() { r.readParts(q) })
	return c.endTogether(q, r, name, o)
}

// endTogether makes the report, and reads the steps after the empty clause.
func (c *hintChecker) endTogether(q *partQueue, r *hintReader, name string, o Options) (Report, error) {
	report := q.total
	k := q.last
	if k != nil && k.failure != nil {
		return Report{}, placeErrorAt(k.failure, name, k.binary, k.steps[k.at].end)
	}
	if k != nil && !k.refuted {
		report.Extensions = int(k.lastSeen) - c.ours
		report.Bytes = max(report.Bytes, 4*int64(cap(k.arena)))
		return report, nil
	}
	<-r.busy
	r.busy = nil
	if r.err != nil {
		return Report{}, placeError(r.err, name, r.parser)
	}
	c.report, c.prover.rat, o.Workers = report, 0, 1
	return c.checkProof(r.hintParser, name, o)
}

// Check checks a part. It returns false if the check ends with it.
func (w *hintWorker) Check(k *part) (more bool) {
	w.arena, w.rat = k.arena, 0
	w.growTo(k.seen)
	k.report.Binary = k.binary
	k.lastSeen = k.before
	for k.at = range k.steps {
		if k.isInterrupted() || w.checkPartStep(k, k.at) {
			break
		}
	}
	k.report.RAT = w.rat
	return !k.hasEnded()
}

// checkPartStep checks a step of a part. It reports whether the check ends with it.
func (w *hintWorker) checkPartStep(k *part, i int) (ends bool) {
	s, r, last := &k.steps[i], &k.report, i == len(k.steps)-1
	r.Step, r.Line, r.Offset = s.step, s.line, s.offset
	if s.deletion {
		r.Deletions += int64(s.deleted)
		r.Missing += int64(s.missing)
		return false
	}
	clause := k.clause(i)
	hints, found := k.stepHints(i)
	r.Lemmas++
	r.Checked++
	r.Hints += int64(len(hints))
	k.lastSeen = lastVariable(k.lastSeen, clause)
	switch {
	case last && k.refusal != "":
		r.refuse(s.place, k.refusal)
	case last && k.err != nil && !k.late:
		k.failure = k.err
	case !w.proves(hintedLemma{clause, hints, found, s.occurs}):
		r.refuse(s.place, w.brokenLemma(s.id, k.line(i)))
	case last && k.err != nil:
		k.failure = k.err
	default:
		k.refuted = len(clause) == 0
	}
	return k.hasEnded()
}

// Pass does nothing: the table has the clauses.
func (w *hintWorker) Pass(*part) (more bool) { return true }

// Stays returns true: all workers share the table.
func (w *hintWorker) Stays(int) bool { return true }
