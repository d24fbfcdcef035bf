package sat

import "treesplit/search"

// Exchanger is a Conqueror that exchanges learnt clauses with the procedures of other shares. It has the
// methods of search.Exchanger.
type Exchanger interface {
	Conqueror
	Exchanges() bool
	Export(dst []byte, limit int) []byte
	Import(facts []byte) error
	// TakenIn returns the number of clauses of other shares that the solver has taken in.
	TakenIn() int64
}

var _ search.Exchanger = (*Search)(nil)

// Exchanges reports whether the share exchanges learnt clauses with other shares.
func (s *Search) Exchanges() bool {
	e, ok := s.proc.(Exchanger)
	return ok && e.Exchanges()
}

// Export appends learnt clauses; see search.Exchanger. It panics if the share does not exchange clauses.
func (s *Search) Export(dst []byte, limit int) []byte { return s.proc.(Exchanger).Export(dst, limit) }

// Import takes in learnt clauses; see search.Exchanger. It panics if the share does not exchange clauses.
func (s *Search) Import(facts []byte) error { return s.proc.(Exchanger).Import(facts) }

// TakenIn returns the number of clauses of other shares that the solver of this share has taken in.
func (s *Search) TakenIn() int64 {
	if e, ok := s.proc.(Exchanger); ok {
		return e.TakenIn()
	}
	return 0
}
