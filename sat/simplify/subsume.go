package simplify

import "slices"

// Subsumption: a clause that contains another clause is removed; this needs no lemma.
// Self-subsuming resolution: if c ∨ l and d ∨ ¬l are clauses and c is a subset of d, the second
// clause loses ¬l. The remaining clause is a lemma.
//
// Clauses are examined in order of length. Each is compared with the clauses before it, which are
// not longer. A clause is listed under only one of its literals, the one with the fewest listed
// clauses. So a million copies of a clause are compared only with the first copy. A word with one
// bit per variable excludes most pairs.
//
// Source: L. Zhang, On Subsumption Removal and On-the-Fly CNF Simplification, SAT 2005,
// for one watched literal; N. Eén, A. Biere, SAT 2005, for the words and the resolution.
type subsumption struct {
	*simplifier
	listed [][]listed // by literal
}

// listed is a clause with which others are compared.
type listed struct {
	clause int32
	bits   uint64
}

// subsumeClauses compares all clauses until the steps are used up.
func (s *simplifier) subsumeClauses() {
	order := make([]int32, 0, len(s.clauses))
	for c := range s.clauses {
		if s.clauses[c].size >= 0 {
			order = append(order, int32(c))
		}
	}
	// Sorting is stable, so that the first of equal clauses stays.
	slices.SortStableFunc(order, func(a, b int32) int { return int(s.clauses[a].size - s.clauses[b].size) })
	t := subsumption{s, make([][]listed, len(s.value))}
	for _, c := range order {
		if s.work.subsume <= 0 || s.refuted {
			return
		}
		t.compareClause(int(c))
		if s.clauses[c].size > 0 {
			t.listClause(int(c))
		}
	}
}

// compareClause searches for listed clauses that subsume or shorten c. A literal that can be
// removed is unmarked at once: clauses that did not fit before do not fit now. The lemma has RUP
// even if several literals were removed, the last one first.
func (t *subsumption) compareClause(c int) {
	s := t.simplifier
	clause := s.clauseLiterals(c)
	s.clearMarks()
	bits := uint64(0)
	for _, l := range clause {
		s.stamp[l] = s.now
		bits |= variableBit(l)
	}
	s.work.subsume -= len(clause)
	shorter := false
	for _, l := range clause {
		for _, x := range [...]lit{l, l.complement()} {
			s.work.subsume -= 1 + len(t.listed[x])
			for _, d := range t.listed[x] {
				if d.bits&^bits != 0 {
					continue
				}
				switch within, flipped := t.isWithinMarked(int(d.clause)); {
				case !within:
				case flipped < 0:
					s.deleteWritten(c)
					s.removeClause(c)
					s.stats.Subsumed++
					s.changes++
					return
				default:
					s.stamp[flipped] = s.now - 1
					shorter = true
				}
			}
		}
	}
	if shorter {
		t.shortenClause(c)
	}
}

// isWithinMarked reports whether all literals of clause d are in the current clause, except at
// most one whose negation is in it. flipped is that negation, or −1.
func (t *subsumption) isWithinMarked(d int) (within bool, flipped lit) {
	s := t.simplifier
	flipped = -1
	clause := s.clauseLiterals(d)
	for i, l := range clause {
		if s.stamp[l] == s.now {
			continue
		}
		if flipped >= 0 || s.stamp[l.complement()] != s.now {
			s.work.subsume -= i + 1
			return false, -1
		}
		flipped = l.complement()
	}
	s.work.subsume -= len(clause)
	return true, flipped
}

// shortenClause removes the unmarked literals from clause c.
func (t *subsumption) shortenClause(c int) {
	s := t.simplifier
	before := s.clauses[c].size
	s.keepMarked(c)
	s.stats.Strengthened += int(before - s.clauses[c].size)
	s.changes++
	s.checkShrunk(c)
}

// listClause lists clause c under the literal with the fewest entries.
func (t *subsumption) listClause(c int) {
	clause := t.clauseLiterals(c)
	best, bits := clause[0], uint64(0)
	for _, l := range clause {
		bits |= variableBit(l)
		if len(t.listed[l]) < len(t.listed[best]) {
			best = l
		}
	}
	t.listed[best] = append(t.listed[best], listed{int32(c), bits})
}

// variableBit returns the bit of the literal's variable in a word, by multiplication with 2³²/φ.
func variableBit(l lit) uint64 { return 1 << (uint32(l>>1) * 2654435769 >> 26) }
