package simplify

import "slices"

// Subsumption: a clause that has another as a subset is dropped, which needs no lemma.
// Self-subsuming resolution: where c ∨ l and d ∨ ¬l are clauses and c is a subset of d,
// the second loses ¬l; what is left of it is a lemma.
//
// Clauses come in order of length. Each is compared with the shorter ones before it
// (and those of its length), which are listed under a single literal of theirs, the one
// with the fewest clauses listed: a million copies of a clause meet only the first.
// A word of one bit a variable rules out most pairs.
//
// Source: L. Zhang, On Subsumption Removal and On-the-Fly CNF Simplification, SAT 2005,
// for one watched literal; N. Eén, A. Biere, SAT 2005, for the words and the resolution.
type subsumption struct {
	*simplifier
	listed [][]listed // by literal
}

// listed is a clause that others are compared with.
type listed struct {
	clause int32
	bits   uint64
}

// subsumeClauses compares all clauses, as far as the work lasts.
func (s *simplifier) subsumeClauses() {
	order := make([]int32, 0, len(s.clauses))
	for c := range s.clauses {
		if s.clauses[c].size >= 0 {
			order = append(order, int32(c))
		}
	}
	// Sorting is stable, so that of equal clauses the first stays.
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

// compareClause looks for listed clauses that subsume or shorten c. A literal that can go is
// unmarked at once: what did not fit into the clause before does not fit now. The lemma
// has RUP however many have gone, the last first.
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

// isWithinMarked reports whether all literals of clause d are in the current clause, save one at
// most whose negation is there: that negation is flipped, or −1.
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

// shortenClause leaves the marked literals in clause c.
func (t *subsumption) shortenClause(c int) {
	s := t.simplifier
	clause := s.clauseLiterals(c)
	kept := clause[:0]
	for _, l := range clause {
		if s.stamp[l] == s.now {
			kept = append(kept, l)
		}
	}
	s.stats.Strengthened += len(clause) - len(kept)
	s.changes++
	s.clauses[c].size = int32(len(kept))
	s.writeLemma(kept...)
	s.checkShrunk(c)
}

// listClause enters clause c under its literal with the fewest entries.
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

// variableBit is that of the literal's variable in a word, by multiplication with 2³²/φ.
func variableBit(l lit) uint64 { return 1 << (uint32(l>>1) * 2654435769 >> 26) }
