package simplify

// parities will reason about the parities among the clauses.
func (s *simplifier) parities() {}
