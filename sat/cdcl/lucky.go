package cdcl

// Lucky phases. Some formulas have a model that is easy to write down: all variables true, all
// false, or one of these values for each variable in order unless propagation says otherwise.
// Before the first search the solver tries both values in both orders of the variables. A try ends at its
// first conflict, so it costs about one pass over the formula. Source: CaDiCaL's lucky.cpp (A.
// Biere, CaDiCaL at the SAT Race 2019).

// tryLucky reports whether a try found a model, which is then on the trail. The trail must be at
// level 0 and propagated.
func (s *Solver) tryLucky() bool {
	s.probing = true
	found := false
	for try := 0; try < 4 && !found; try++ {
		s.backtrack(0)
		found = s.fillTrail(try&1 != 0, lit(try>>1))
	}
	if !found {
		s.backtrack(0)
	}
	s.probing = false
	return found
}

// fillTrail decides all variables in order, forwards or backwards, and propagates. sign is 0 to
// make them true, 1 to make them false. It returns false at a conflict.
func (s *Solver) fillTrail(backwards bool, sign lit) bool {
	for i := range s.names {
		v := lit(i)
		if backwards {
			v = lit(len(s.names) - 1 - i)
		}
		if s.values[2*v] != 0 {
			continue
		}
		s.decideLiteral(2*v + sign)
		if s.propagate() != none {
			return false
		}
	}
	return true
}
