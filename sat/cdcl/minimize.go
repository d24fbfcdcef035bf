package cdcl

// Recursive minimisation. A literal of the lemma is redundant if its reason leads back, through
// reasons, to other literals of the lemma only. Failures are remembered in marks, so that each
// variable is explored once per lemma. A literal of a level without a literal in the lemma cannot
// be redundant. Source: N. Sörensson, A. Biere, Minimizing Learned Clauses, SAT 2009.

// maxDepth bounds the recursion. Literals beyond it count as not redundant.
const maxDepth = 1000

// minimizeLemma removes the redundant literals.
func (s *Solver) minimizeLemma() {
	stamp := s.nextStamp()
	for _, l := range s.lemma[1:] {
		s.levelStamp[s.vars[l>>1].level] = stamp
	}
	kept := 1
	for _, l := range s.lemma[1:] {
		if reason := s.reasonOf(l ^ 1); reason == none || !s.isImplied(reason, l, 0) {
			s.lemma[kept] = l
			kept++
		}
	}
	s.stats.Minimized += int64(len(s.lemma) - kept)
	s.lemma = s.lemma[:kept]
}

// isImplied reports whether all other literals of the reason of ¬l are redundant.
func (s *Solver) isImplied(reason ref, l lit, depth int) bool {
	if reason >= binaryFlag {
		return s.isRedundant(lit(reason&^binaryFlag), depth)
	}
	for _, q := range s.literals(reason) {
		if q>>1 != l>>1 && !s.isRedundant(q, depth) {
			return false
		}
	}
	return true
}

// isRedundant reports whether the false literal follows from other literals of the lemma.
func (s *Solver) isRedundant(l lit, depth int) bool {
	v := l >> 1
	x, mark := s.vars[v], s.marks[v]
	switch {
	case x.level == 0 || mark&(seenMark|removableMark) != 0:
		return true
	case mark&poisonMark != 0 || x.reason == none || s.levelStamp[x.level] != s.stamp || depth > maxDepth:
		return false
	}
	s.touched = append(s.touched, uint32(v))
	if s.isImplied(s.reasonOf(l^1), l, depth+1) {
		s.marks[v] |= removableMark
		return true
	}
	s.marks[v] |= poisonMark
	return false
}
