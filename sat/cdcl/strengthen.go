package cdcl

// Strengthening by clauses of two literals. If the lemma has literals p (the implication point)
// and ¬q, and there is a clause p ∨ q, their resolvent is the lemma without ¬q. Only short lemmas
// of low LBD are worth the visit of a list. Source: Glucose (binary resolution); G. Audemard, L.
// Simon, Glucose 2.1, Pragmatics of SAT 2012.

const (
	strengthenLBD  = 6
	strengthenSize = 30
)

// strengthenLemma removes the literals of the lemma that a clause with lemma[0] makes redundant.
func (s *Solver) strengthenLemma() {
	s.binaries = s.binaries[:0]
	if len(s.lemma) < 3 || len(s.lemma) > strengthenSize || s.computeLBD(s.lemma) > strengthenLBD {
		return
	}
	for _, l := range s.lemma[1:] {
		s.marks[l>>1] |= lemmaMark
	}
	found := 0
	for _, w := range s.watchesOf(s.lemma[0]) {
		if v := w.blocker >> 1; w.clause >= binaryFlag && s.marks[v]&lemmaMark != 0 && s.values[w.blocker] > 0 {
			s.marks[v] &^= lemmaMark
			found++
			s.binaries = append(s.binaries, implied{w.blocker, w.clause &^ binaryFlag})
		}
	}
	s.keepMarked(found)
}

// keepMarked keeps lemma[0] and the literals with a mark, and removes the marks.
func (s *Solver) keepMarked(removed int) {
	kept := 1
	for _, l := range s.lemma[1:] {
		if s.marks[l>>1]&lemmaMark != 0 {
			s.marks[l>>1] &^= lemmaMark
			s.lemma[kept] = l
			kept++
		}
	}
	s.stats.Minimized += int64(removed)
	s.lemma = s.lemma[:kept]
}
