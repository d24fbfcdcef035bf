package cdcl

import "slices"

// Shrinking replaces the literals of one level in the lemma by a single literal: the implication point
// of this level, from which they all follow. It is found as in conflict analysis, backwards along the trail of the
// level. Literals of lower levels in the reasons must be redundant (minimize.go), so that the lemma
// gets no other literal. Where one decision implies many literals, as under constraints "at most one",
// lemmas are much shorter. The implication points are bumped too. Sources: M. Fleury, A. Biere, Efficient All-UIP Learned Clause
// Minimization, SAT 2021; N. Feng, F. Bacchus, Clause Size Reduction with all-UIP Learning, SAT
// 2020.

// shrinkLemma shrinks all levels of the lemma below the current one. It follows minimizeLemma, whose
// marks it needs.
func (s *Solver) shrinkLemma() {
	places := s.candidates[:0]
	for _, l := range s.lemma[1:] {
		x := s.vars[l>>1]
		places = append(places, uint64(x.level)<<32|uint64(x.place))
	}
	slices.Sort(places)
	s.candidates = places
	before := len(s.lemma)
	s.lemma = s.lemma[:1]
	for end := len(places); end > 0; {
		start := end - 1
		for start > 0 && places[start-1]>>32 == places[end-1]>>32 {
			start--
		}
		s.shrinkLevel(places[start:end])
		end = start
	}
	s.stats.Shrunken += int64(before - len(s.lemma))
}

// shrinkLevel adds the literals of one level to the lemma, or their implication point. level has their places on the
// trail, in increasing order.
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

// findPoint returns the implication point of some literals of one level, from which they follow
// together with literals of the lemma of lower levels. ok is false if there is none.
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

// openReason marks the literals of the level of l in its reason, and returns how many have no mark
// before. ok is false if another literal of the reason is not redundant.
func (s *Solver) openReason(l lit) (more int, ok bool) {
	level, reason := s.vars[l>>1].level, s.reasonOf(l)
	if reason >= binaryFlag {
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

// openLiteral marks a false literal if it is of a level, and returns 1 if it had no mark before. ok is
// false if it is of a lower level and not redundant.
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
