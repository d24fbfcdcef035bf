package portfolio

import (
	"treesplit/sat/mailbox"
	"treesplit/search"
)

// Exchange of learnt clauses between attempts (package mailbox). Every attempt searches the same formula, and a
// clause that one attempt has learnt follows from this formula. A solver takes in the clauses of other shares at the
// first conflict after a restart, and then begins at level 0 again. Without this exchange many ranks need as much
// time as one rank for a formula without a model.
//
// Attempt 0 takes nothing in. It is the search of one rank, so that more ranks have no bad luck: they are slower
// than one rank only by the cost of the exchange, or if attempt 0 begins again in another process.
//
// Shares with logs exchange nothing: the lemmas of one attempt alone are the proof.

// shared is the filter of the exchange. docs/lab-notes.md has the measurements.
var shared = mailbox.Filter{Literals: 30, LBD: 6}

var _ search.Exchanger = (*Share)(nil)

// pupil is an Engine that exchanges clauses.
type pupil interface {
	// writeTo makes the engine exchange clauses through a box, or through none if it is nil.
	writeTo(box *mailbox.Box)
}

// Exchanges reports whether the attempts exchange clauses.
func (s *Share) Exchanges() bool { return s.exchange && s.log == nil }

// Export appends learnt clauses, at most limit bytes.
func (s *Share) Export(dst []byte, limit int) []byte { return s.box.Export(dst, limit) }

// Import receives learnt clauses of another share.
func (s *Share) Import(facts []byte) error { return s.box.Import(facts, s.of.formula.Variables) }

// connect makes the engine of the current attempt exchange clauses, if it can and the share does.
func (s *Share) connect() {
	if e, ok := s.run.Engine.(pupil); ok && s.Exchanges() {
		e.writeTo(s.box)
	}
}

// writeTo makes the solver exchange clauses through a box.
func (s *solver) writeTo(box *mailbox.Box) { s.box = box }

// offerLemma offers the lemma of the last conflict to other shares.
func (s *solver) offerLemma() {
	if s.box != nil {
		s.box.Offer(s.LastLemma(shared.Literals))
	}
}

// takeIncoming gives the clauses of other shares to the solver, if it has restarted since the last time. The solver
// takes in at most as many clauses as it has learnt meanwhile: the clauses of many ranks would make it slow.
func (s *solver) takeIncoming() {
	if s.box == nil || !s.box.HasIncoming() {
		return
	}
	now, most := s.Stats(), 0
	if now.Restarts == s.taken.Restarts {
		return
	}
	if !s.first {
		most = int(now.Conflicts - s.taken.Conflicts)
	}
	s.box.TakeIn(most, func(clause []int32) { s.AddLearnt(clause...) })
	s.taken = now
}
