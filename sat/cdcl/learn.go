package cdcl

// Learning. After a conflict the solver returns to the second highest level of the lemma, where
// the lemma forces its first literal. This is backjumping. Source: Marques-Silva, Sakallah 1999.

// learn handles a conflict above level 0.
func (s *Solver) learn(conflict ref) {
	s.stats.Conflicts++
	conflict = s.explainConflict(conflict)
	s.analyze(conflict)
	s.bumped = append(s.bumped[:0], s.touched...)
	s.minimizeLemma()
	s.shrinkLemma()
	s.inject(minimized)
	s.strengthenLemma()
	lbd := s.computeLBD(s.lemma)
	s.lemmaLBD = lbd
	s.learning = true
	id := s.logLemma(conflict)
	s.learning = false
	s.clearMarks()
	s.bumpVariables()
	s.noteConflict(lbd)
	s.noteTrail(s.control[s.level()-1])
	s.backtrack(s.placeSecond())
	s.dropReasons()
	s.enterLemma(lbd, id)
	s.inject(learnt)
}

// placeSecond moves a literal of the second highest level to lemma[1] and returns this level, or
// 0 for a unit.
func (s *Solver) placeSecond() int {
	if len(s.lemma) == 1 {
		return 0
	}
	best := 1
	for i, l := range s.lemma[2:] {
		if s.vars[l>>1].level > s.vars[s.lemma[best]>>1].level {
			best = i + 2
		}
	}
	s.lemma[1], s.lemma[best] = s.lemma[best], s.lemma[1]
	return int(s.vars[s.lemma[1]>>1].level)
}

// enterLemma adds the lemma to the clauses and assigns its first literal.
func (s *Solver) enterLemma(lbd uint32, id uint64) {
	s.stats.Learnt++
	first := s.lemma[0]
	if len(s.lemma) == 1 {
		s.assign(first, none)
		s.noteUnit(first, id)
		return
	}
	r := s.storeClause(s.lemma, learntFlag|usedFlag|lbd, id)
	s.watchClause(r)
	if len(s.lemma) == 2 {
		r = binaryFlag | ref(s.lemma[1])
	}
	s.assign(first, r)
}
