package cdcl

// The search: propagate, learn from a conflict, otherwise decide. Source: J. Marques-Silva, K. Sakallah, GRASP: A
// Search Algorithm for Propositional Satisfiability, IEEE Transactions on Computers 48, 1999. Between these steps it
// maintains the clauses and phases, in the order of CaDiCaL (A. Biere and others), at points that depend on counts
// alone: the same calls always take the same steps.

// Limit bounds a part of a search, counted from its beginning. Either number may be NoLimit.
type Limit struct {
	Conflicts int64
	Ticks     int64 // of propagation, without maintenance; the part may exceed it by the ticks of one propagation
}

// Solve searches for a model of all clauses under the assumptions. It gives up after the given
// number of conflicts. The assumptions are forgotten afterwards. What was learnt is kept.
func (s *Solver) Solve(conflicts int64) Status {
	s.backtrack(0)
	s.Continue(Limit{conflicts, NoLimit})
	s.backtrack(0)
	s.assumed = s.assumed[:0]
	return s.status
}

// Continue continues a search where the last Continue has stopped, up to the limit. A search in
// parts of any size takes the same steps as a search in one part. Any other call between two parts
// gives up the trail, but not what was learnt. Assumptions hold until the next Solve.
func (s *Solver) Continue(l Limit) Status {
	s.failed = s.failed[:0]
	s.taught = false
	s.status = Unsatisfiable
	if !s.refuted {
		s.Prepare()
		s.inject(beginning)
		s.status = s.search(limitSum(s.stats.Conflicts, l.Conflicts), limitSum(s.stats.Ticks, l.Ticks))
	}
	if s.status == Satisfiable {
		s.model = s.model[:0]
		for v := range s.names {
			s.model = append(s.model, s.values[2*v])
		}
	}
	return s.status
}

// limitSum returns the count at which a limit is reached, at most NoLimit.
func limitSum(count, limit int64) int64 {
	if limit < NoLimit-count {
		return count + limit
	}
	return NoLimit
}

// search runs until the result is known, or the conflicts or ticks reach a number.
func (s *Solver) search(until, ticks int64) Status {
	for {
		if conflict := s.propagateAll(); conflict != none {
			if s.level() == 0 {
				s.refuteAtRoot(conflict)
				return Unsatisfiable
			}
			s.learn(conflict)
			if s.stats.Conflicts >= until {
				s.taught = true
				return Unknown
			}
			continue
		}
		if s.level() == 0 && s.settled < s.assigned {
			s.settleRoot()
		}
		if s.level() == 0 && !s.searched {
			s.searched = true
			if len(s.assumed) == 0 && s.tryLucky() {
				return Satisfiable
			}
		}
		switch {
		case s.stats.Conflicts >= until || s.stats.Ticks >= ticks:
			return Unknown
		case s.isRestartDue():
			s.restart()
		case s.stats.Conflicts >= s.rephaseAt:
			s.rephase()
		case s.isGarbageDue():
			s.collectGarbage()
		case s.stats.Conflicts >= s.reduceAt:
			if !s.reduce() {
				return Unsatisfiable
			}
		default:
			if status := s.decide(); status != Unknown {
				return status
			}
		}
	}
}

// decide makes a decision. It returns Satisfiable if all variables have values, and
// Unsatisfiable if an assumption is false.
func (s *Solver) decide() Status {
	if s.level() < len(s.assumed) {
		if !s.assumeNext() {
			return Unsatisfiable
		}
		return Unknown
	}
	if s.assigned == len(s.names) {
		return Satisfiable
	}
	s.stats.Decisions++
	s.decideLiteral(s.choosePhase(s.nextVariable()))
	return Unknown
}

// refuteAtRoot records that a clause is false at level 0.
func (s *Solver) refuteAtRoot(conflict ref) {
	s.settleRoot()
	s.refuted = true
	if conflict = s.explainConflict(conflict); conflict < binaryFlag && s.arena[conflict] == 0 {
		return // the derivation ends with the empty clause
	}
	s.lemma, s.binaries = s.lemma[:0], s.binaries[:0]
	s.logLemma(conflict)
	s.clearMarks()
}

// settleRoot logs the literals that became true at level 0 as units, so that no later step needs
// their reasons.
func (s *Solver) settleRoot() {
	for ; s.settled < s.assigned; s.settled++ {
		l := s.trail[s.settled]
		reason := s.reasonOf(l)
		if reason == none {
			continue
		}
		s.lemma, s.binaries = append(s.lemma[:0], l), s.binaries[:0]
		s.noteUnit(l, s.logLemma(reason))
		s.clearMarks()
		s.vars[l>>1].reason = none
	}
}
