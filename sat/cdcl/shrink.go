package cdcl

import "slices"

// Shrinking repositions the literals of one level in the lemma by a single literal: the implication
// point of this level. They follow from it, together with literals of lower levels that the lemma
// has anyway. The point is found as in conflict analysis, backwards along the trail of the level. If
// a reason has a literal of a lower level that is not known to be redundant (minimize.go), the level
// stays as it is. Shorter lemmas change the search, above all where one decision implies many
// literals. The implication points are bumped too. Sources: M. Fleury, A. Biere, Efficient All-UIP
// Learned Clause Minimization, SAT 2021; N. Feng, F. Bacchus, Clause Size Reduction with all-UIP
// Learning, SAT 2020.

// shrinkLemma shrinks all levels of the lemma below the current one. It follows minimizeLemma, whose
// marks and stamp of levels it needs.
func (s *Solver) shrinkLemma() {
	positions := s.candidates[:0]
	for _, l := range s.lemma[1:] {
		x := s.vars[l>>1]
		positions = append(positions, uint64(x.level)<<32|uint64(x.position))
	}
	slices.Sort(positions)
	s.candidates = positions
	before := len(s.lemma)
	s.lemma = s.lemma[:1]
	for end := len(positions); end > 0; {
		start := end - 1
		for start > 0 && positions[start-1]>>32 == positions[end-1]>>32 {
			start--
		}
		s.shrinkLevel(positions[start:end])
		end = start
	}
	s.stats.Shrunken += int64(before - len(s.lemma))
}

// shrinkLevel adds the literals of one level to the lemma, or the implication point of these
// literals. level has the positions of the literals on the trail, in increasing order.
func (s *Solver) shrinkLevel(level []uint64) {
	if len(level) > 1 {
		if point, ok := s.findPoint(level); ok {
			if s.marks[point>>1]&seenMark == 0 {
				s.bumped = append(s.bumped, uint32(point>>1))
			}
			s.lemma = append(s.lemma, point^1)
			return
		}
	}
	for i := len(level) - 1; i >= 0; i-- {
		s.lemma = append(s.lemma, s.trail[uint32(level[i])]^1)
	}
}

// findPoint returns the implication point of some literals of one level. ok is false if none was
// found.
func (s *Solver) findPoint(level []uint64) (point lit, ok bool) {
	for _, p := range level {
		s.markVariable(s.trail[uint32(p)]>>1, shrinkMark)
	}
	open := len(level)
	for at := uint32(level[len(level)-1]); ; at-- {
		l := s.trail[at]
		if s.marks[l>>1]&shrinkMark == 0 {
			continue
		}
		if open == 1 {
			return l, true
		}
		more, ok := s.openReason(l)
		if !ok {
			return 0, false
		}
		open += more - 1
	}
}

// openReason marks the literals of the level of l in the reason of l, and returns how many of them
// had no shrinkMark before. ok is false if a literal of a lower level is not known to be redundant,
// or if the reason is a row of parities, whose clause would cost more than shrinking saves.
func (s *Solver) openReason(l lit) (more int, ok bool) {
	level, reason := s.vars[l>>1].level, s.vars[l>>1].reason
	switch {
	case reason >= firstRow:
		return 0, false
	case reason >= binaryFlag:
		return s.openLiteral(lit(reason&^binaryFlag), level)
	}
	for _, q := range s.literals(reason) {
		if q == l {
			continue
		}
		n, ok := s.openLiteral(q, level)
		if !ok {
			return 0, false
		}
		more += n
	}
	return more, true
}

// openLiteral marks a false literal if it is of the given level, and returns 1 if it had no
// shrinkMark before. ok is false if it is of a lower level and not known to be redundant.
func (s *Solver) openLiteral(l lit, level int32) (more int, ok bool) {
	switch v := l >> 1; {
	case s.vars[v].level < level:
		return 0, s.isRedundant(l, 1)
	case s.marks[v]&shrinkMark != 0:
		return 0, true
	default:
		s.markVariable(v, shrinkMark)
		return 1, true
	}
}
