package drat

import "iter"

// Backward checking reads the whole proof first. It applies the steps without a check, as far as
// the one after which unit propagation refutes the clauses. Then it goes back, undoes one step
// after the other, and checks a lemma only if it is marked: if it took part in the conflict at the
// end or in the check of a later lemma. The check of a lemma marks the clauses that it needs. So
// the lemmas that no refutation needs are not checked, which saves more than half of the work on
// the proofs of most solvers. Sources: E. Goldberg, Y. Novikov, Verification of Proofs of
// Unsatisfiability for CNF Formulas, DATE 2003; M. Heule, W. Hunt, N. Wetzler, Trimming while
// Checking Clausal Proofs, FMCAD 2013.
//
// The literals that are true at the top level form a trail that only grows in the first pass,
// because deletions do not undo them. The lemma that made a literal true is its reason. When the
// second pass undoes the lemma, it removes the literal and all later ones. So each lemma is
// checked against the clauses and the literals that the forward check has at the same step, and
// every lemma that the forward check accepts is accepted here.
type backward struct {
	checker
	steps     []ref  // the lemmas; of deletions the complement of the clause's reference
	places    places // of the steps
	lemmas    ref    // the first lemma in the arena
	forgotten int    // clauses deleted since the last purge of the lists
	shape     shape  // of the steps that were read, in mode Auto

	// Propagation (core.go).
	core     [][]watch // by literal: the watches of marked clauses; the other ones are in watches
	coreHead int       // queue[coreHead:] is not yet propagated by marked clauses
	restAt   int       // where the visit of the list of queue[long] continues

	// Analysis (mark.go).
	marked   []ref // the clauses that are marked
	seen     set   // literals visited in this analysis
	stack    []literal
	grounded []bool // by variable: the reasons of its value at the top level are marked

	resolvable []ref     // of a RAT check
	group      []literal // the clause with which the lemma is resolved, or nil

	record *recorder // of the LRAT proof (record.go); nil: none

	afterCheck func(step int) // for tests; nil: none
}

func newBackward() *backward { return &backward{checker: *newChecker()} }

// checkProof checks a proof backward. If it returns errTree, the proof must be checked forward from its beginning.
func (b *backward) checkProof(clauses iter.Seq2[int, []int32], p *parser, name string, o Options) (Report, error) {
	if err := b.loadClauses(clauses); err != nil {
		return Report{}, err
	}
	b.lemmas = ref(len(b.arena))
	b.report.Binary, b.report.Backward = p.binary, true
	err := b.readProof(p, o)
	if err == errTree {
		return Report{}, err
	}
	p.forgetInput()
	switch {
	case err == errTooLarge && o.LRAT != nil:
		return Report{}, placeError(errTooManyHints, name, p)
	case err == errTooLarge && o.Mode == Auto:
		return b.continueForward(p, name, o)
	case err != nil:
		return Report{}, placeError(err, name, p)
	case b.refuted:
		return b.refuteBackward(clauses, o)
	case b.report.Refusal == "":
		b.report.Refusal = endsTooEarly(p)
	}
	return b.makeReport(), nil
}

// refuteBackward makes the second pass, and writes what it records.
func (b *backward) refuteBackward(clauses iter.Seq2[int, []int32], o Options) (Report, error) {
	if o.LRAT != nil {
		b.record = &recorder{}
	}
	if err := b.goBack(o); err != nil {
		return Report{}, err
	}
	if b.record == nil || !b.refuted {
		return b.makeReport(), nil
	}
	b.recordFormula()
	err := b.writeHints(o, countClauses(clauses))
	return b.makeReport(), err
}

// makeReport returns the report so far.
func (b *backward) makeReport() Report {
	r := b.checker.makeReport()
	r.Bytes += 4*int64(cap(b.steps)+cap(b.marked)) + int64(cap(b.places.bytes))
	if b.record != nil {
		r.Bytes += 4 * int64(cap(b.record.events))
	}
	return r
}

// goBack is the second pass. Its only error is ErrInterrupted.
func (b *backward) goBack(o Options) error {
	b.purgeLists() // a list must not have two entries of a clause that exists again
	b.core = make([][]watch, len(b.watches))
	b.seen.stamps = make([]uint32, len(b.values))
	b.grounded = make([]bool, len(b.level))
	b.in.removeAll()
	b.markConflict(b.conflict)
	if b.record != nil {
		b.recordLemma(none)
	}
	b.reportCheck(len(b.steps))
	for i := len(b.steps) - 1; i >= 0; i-- {
		b.report.Undone++
		b.report.Remaining = int64(i)
		if o.Progress != nil && b.report.Undone%ProgressSteps == 0 {
			o.Progress(b.makeReport())
		}
		if o.interruptedAt(b.report.Undone) {
			return ErrInterrupted
		}
		if !b.undoStep(b.steps[i]) {
			b.refuseLemma(i)
			return nil
		}
		b.reportCheck(i)
	}
	return nil
}

// undoStep undoes a step. It returns false if the step is a marked lemma that does not hold.
func (b *backward) undoStep(s ref) bool {
	if s < 0 {
		b.bringBack(^s)
		return true
	}
	b.undoLemma(s)
	return !b.isCore(s) || b.checkLemma(s)
}

// reportCheck calls the function of a test.
func (b *backward) reportCheck(step int) {
	if b.afterCheck != nil {
		b.afterCheck(step)
	}
}

// bringBack undoes the deletion of a clause. Its first two literals are watched as before the
// deletion: the literals at the top level are the same.
func (b *backward) bringBack(r ref) {
	b.reviveClause(r)
	if b.record != nil && b.isCore(r) {
		b.record.add(eventDelete, r)
	}
	c := b.clauseLiterals(r)
	if len(c) > 3 && b.isCore(r) {
		b.core[c[0]] = append(b.core[c[0]], watch{c[1], r})
		b.core[c[1]] = append(b.core[c[1]], watch{c[0], r})
	} else if len(c) > 1 {
		b.enlistClause(r)
	}
}

// undoLemma removes a lemma and the literals that it and later propagation made true.
func (b *backward) undoLemma(r ref) {
	for _, l := range b.clauseLiterals(r) {
		if b.values[l] == isTrue && b.reason[l>>1] == r {
			b.undoTop(l)
			break
		}
	}
	b.forgetClause(r)
}

// undoTop removes a literal of the top level and all later ones.
func (b *backward) undoTop(l literal) {
	at := len(b.queue)
	for last := none; last != l; {
		at--
		last = b.queue[at]
		b.recordUnit(last)
		b.values[last], b.values[last^1] = isFree, isFree
		b.grounded[last>>1] = false
	}
	b.queue = b.queue[:at]
	b.short, b.long = at, at
}

// refuseLemma reports that the lemma of a step does not hold.
func (b *backward) refuseLemma(i int) {
	b.refuted = false
	b.report.refuse(b.places.find(i), unjustified(b.dimacsClause(b.steps[i])))
}

// dimacsClause returns the DIMACS numbers of a lemma: first the first literal of the proof, then
// the other ones in the order of their variables.
func (b *backward) dimacsClause(r ref) []int32 {
	numbers := b.variables.allNumbers()
	line := []int32{}
	for _, l := range b.originalLiterals(nil, r) {
		n := numbers[l>>1]
		if l&1 == 1 {
			n = -n
		}
		line = append(line, n)
	}
	return line
}
