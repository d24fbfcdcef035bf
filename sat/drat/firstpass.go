package drat

import "errors"

// The first pass of a backward check applies the steps of the proof without a check, as far as the
// one after which unit propagation refutes the clauses, and stores them for the second pass. A
// deleted clause stays in the arena, because the second pass brings it back.

// errTooLarge means that the proof takes more memory than backward checking may use. errTree means that a
// forward check is expected to be faster.
var (
	errTooLarge = errors.New("the lemmas take more memory than backward checking may use: expected the mode forward or auto")
	errTree     = errors.New("the proof looks like one of a tree search")
)

// readProof is the first pass.
func (b *backward) readProof(p *parser, o Options) error {
	for {
		ok, err := p.readNextStep()
		if err != nil || !ok {
			return err
		}
		if o.Progress != nil && p.step%ProgressSteps == 0 {
			o.Progress(b.makeReport())
		}
		if o.interruptedAt(p.step) {
			return ErrInterrupted
		}
		if b.refuted {
			b.report.Unused++
			continue
		}
		if p.isKept() && b.shape.becomesTree(p) {
			return errTree
		}
		if err := b.readStep(p); err != nil {
			return err
		}
		if b.report.Refusal != "" {
			return nil
		}
	}
}

// readStep applies a step of the proof without a check.
func (b *backward) readStep(p *parser) error {
	b.report.notePlace(p)
	if err := b.normalise(p.literals); err != nil {
		return err
	}
	if p.deletion {
		b.report.Deletions++
		b.putAside(p)
		return nil
	}
	b.report.Lemmas++
	if len(b.clause) == 0 {
		b.report.Refusal = p.describeStep() + ": " + unjustified(nil)
		return nil
	}
	r := ref(len(b.arena))
	if err := b.addClause(); err != nil {
		return errTooLarge
	}
	b.noteStep(r, p)
	b.propagateTop()
	return nil
}

// noteStep stores a step for the second pass.
func (b *backward) noteStep(s ref, p *parser) {
	b.steps = append(b.steps, s)
	b.places.add(place{p.step, b.report.Line, p.offset})
}

// putAside deletes a clause with the current literals until the second pass.
func (b *backward) putAside(p *parser) {
	r := b.takeClause(len(b.clause), b.hash, &b.in)
	if r == none {
		b.report.Missing++
		return
	}
	if b.isUnitAtTop() {
		b.report.Ignored++
	}
	b.noteStep(^r, p)
	b.forgetClause(r)
}

// forgetClause deletes a clause. The lists drop it when most of their clauses are deleted.
func (b *backward) forgetClause(r ref) {
	b.retireClause(r)
	if b.forgotten++; b.forgotten > b.live+b.slack {
		b.purgeLists()
	}
}

// purgeLists drops the deleted clauses from all lists.
func (b *backward) purgeLists() {
	b.forgotten = 0
	for l := range b.watches {
		b.dropDeleted(literal(l))
		b.watches[l] = b.purgeList(b.watches[l])
		if b.core != nil {
			b.core[l] = b.purgeList(b.core[l])
		}
	}
}

// purgeList drops the deleted clauses from a list.
func (b *backward) purgeList(list []watch) []watch {
	kept := list[:0]
	for _, w := range list {
		if !b.isDeleted(w.clause) {
			kept = append(kept, w)
		}
	}
	return kept
}
