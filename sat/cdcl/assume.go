package cdcl

// Assumptions are literals that hold for one call of Solve. They are the first decisions. If one
// is false when its turn comes, the conflict is traced back to the assumptions that cause it: they
// are the failed ones, and their negations are a clause that the formula implies. Source: N. Eén,
// N. Sörensson, Temporal Induction by Incremental SAT Solving, BMC 2003.

// assumptions are the assumptions of the current call, and the results of the last one.
type assumptions struct {
	assumed  []lit // decision i+1 is assumed[i]
	failed   []int32
	failedID uint64 // number of the lemma that negates the failed assumptions
	model    []int8 // values of the variables in the last model
	status   Status // of the last call
}

// Assume adds assumptions, as DIMACS literals, for the next call of Solve.
func (s *Solver) Assume(literals ...int32) {
	s.backtrack(0)
	for _, dimacs := range literals {
		s.assumed = append(s.assumed, s.literalOf(dimacs))
	}
}

// Failed returns the assumptions of the last call that the clauses refute together, if its result
// was Unsatisfiable: none if the clauses have no model at all. The slice is valid until the next
// call of Solve. It need not be minimal.
func (s *Solver) Failed() []int32 { return s.failed }

// Model returns the values of variables 1 to n in the model of the last call, if its result was
// Satisfiable. Variables that were never used are false.
func (s *Solver) Model(n int) []bool {
	model := make([]bool, n)
	for v := range model {
		if v+1 < len(s.number) && s.number[v+1] != 0 {
			if i := s.number[v+1] - 1; int(i) < len(s.model) {
				model[v] = s.model[i] > 0
			}
		}
	}
	return model
}

// assumeNext decides the next assumption. If it holds already, its level is empty. It returns
// false if the assumption is false.
func (s *Solver) assumeNext() bool {
	l := s.assumed[s.level()]
	switch s.values[l] {
	case 1:
		s.control = append(s.control, s.assigned)
		for len(s.levelStamp) <= s.level()+len(s.names) { // levels without a variable come on top of the others
			s.levelStamp = append(s.levelStamp, 0)
		}
	case 0:
		s.decideLiteral(l)
	default:
		s.findFailed(l)
		return false
	}
	return true
}

// findFailed finds the assumptions that imply the negation of assumption l, and logs the lemma
// that they cannot hold together.
func (s *Solver) findFailed(l lit) {
	s.failed = append(s.failed[:0], s.dimacs(l))
	x := s.vars[l>>1]
	if x.level == 0 {
		return
	}
	if x.reason == none { // both l and its negation are assumed
		s.failed = append(s.failed, s.dimacs(l^1))
		return
	}
	reason := s.reasonOf(l ^ 1)
	s.deriveShorter(reason, l^1)
	for _, q := range s.lemma[1:] {
		s.failed = append(s.failed, s.dimacs(q^1))
	}
	s.binaries = s.binaries[:0]
	s.failedID = s.logLemma(reason)
	s.clearMarks()
}

// Conclude ends a search in parts by Continue: the assumptions are forgotten, as after Solve. If the
// assumptions failed, the clause of their negations joins the learnt clauses, for searches under
// similar assumptions.
func (s *Solver) Conclude() {
	s.backtrack(0)
	s.dropReasons()
	s.assumed = s.assumed[:0]
	if s.status != Unsatisfiable || s.refuted || len(s.failed) < 2 {
		return
	}
	s.status = Unknown // the clause joins once
	s.short = s.short[:0]
	for _, dimacs := range s.failed {
		if l := s.literalOf(dimacs) ^ 1; s.values[l] == 0 {
			s.short = append(s.short, l)
		}
	}
	if len(s.short) == len(s.failed) && s.short[0] != s.short[1]^1 {
		s.stats.Learnt++
		s.watchClause(s.storeClause(s.short, learntFlag|usedFlag|uint32(min(len(s.short), tier2LBD)), s.failedID))
	}
}
