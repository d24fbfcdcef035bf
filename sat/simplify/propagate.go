package simplify

import "slices"

// Unit propagation: two watched literals in clauses of three or more literals, and plain lists
// for binary clauses. A watch is a place in its clause, and the search for another place goes
// round from there. So on the way down a branch a long clause is read once, not once per literal.
// The literals stay in the order of the input.
//
// Source: M. Moskewicz et al., Chaff, DAC 2001, for the watches; I. Gent, Optimal
// Implementation of Watched Literals and More General Techniques, JAIR 48 (2013), for
// the circular search.
type propagator struct {
	implied lists     // implied.itemsOfList(l): the literals that l implies by binary clauses
	watch   [][]watch // watch[l]: the clauses that watch l
	place   [][2]int32
	backing []watch
	length  []int32
	steps   int // steps since the last takeSteps

	// For vivification:
	reason   []int32 // by variable: the clause that fixed it, or ^l if literal l implied it; valid for the consequences of a decision
	ignored  int32   // the clause that is not propagated, or noClause
	missed   bool    // the ignored clause had a consequence
	conflict int32   // the clause of the last conflict, or noClause if two literals are in conflict
	pair     [2]lit  // these literals: the first implies the second, which is false
}

// noClause is no clause.
const noClause = int32(-1)

// watch is an entry of a clause in a list. If the blocker is true, the clause is true.
type watch struct {
	clause  int32
	blocker lit
}

// buildIndex indexes the clauses under the current values. It fixes the literals of clauses that
// are unit under them.
func (p *propagator) buildIndex(s *simplifier) {
	p.place = resizeSlice(p.place, len(s.clauses))
	p.length = resizeSlice(p.length, len(s.value))
	p.reason = resizeSlice(p.reason, len(s.value)/2)
	p.ignored = noClause
	p.implied.resetLists(len(s.value))
	clear(p.length)
	for c := range s.clauses {
		if s.clauses[c].size >= 0 {
			p.chooseWatches(s, c)
		}
	}
	if s.refuted {
		return
	}
	p.implied.carveLists()
	p.carveWatches(len(s.value))
	for c, at := range s.clauses {
		if at.size < 0 || p.place[c][0] < 0 {
			continue
		}
		clause := s.clauseLiterals(c)
		a, b := clause[p.place[c][0]], clause[p.place[c][1]]
		if at.size == 2 {
			p.implied.appendItem(a.complement(), int32(b))
			p.implied.appendItem(b.complement(), int32(a))
		} else {
			p.watch[a] = append(p.watch[a], watch{int32(c), b})
			p.watch[b] = append(p.watch[b], watch{int32(c), a})
		}
	}
}

// chooseWatches chooses the two places that clause c watches and counts them. A clause that is
// satisfied, or that fixes its literal, watches none: its first place is −1.
func (p *propagator) chooseWatches(s *simplifier, c int) {
	clause, found := s.clauseLiterals(c), 0
	for i, l := range clause {
		switch s.value[l] {
		case positive:
			p.place[c][0] = -1
			return
		case open:
			if found < 2 {
				p.place[c][found] = int32(i)
				found++
			}
		}
		if found == 2 {
			break
		}
	}
	switch {
	case found == 0:
		s.refuteFormula()
	case found == 1:
		l := clause[p.place[c][0]]
		p.place[c][0] = -1
		s.fixLiteral(l)
	case len(clause) == 2:
		p.implied.countItem(clause[0].complement())
		p.implied.countItem(clause[1].complement())
	default:
		p.length[clause[p.place[c][0]]]++
		p.length[clause[p.place[c][1]]]++
	}
}

// carveWatches divides one array into the initial watch lists.
func (p *propagator) carveWatches(literals int) {
	total := 0
	for _, n := range p.length {
		total += int(n)
	}
	p.watch = resizeSlice(p.watch, literals)
	p.backing = resizeSlice(p.backing, total)
	at := 0
	for l, n := range p.length {
		p.watch[l] = p.backing[at : at : at+int(n)]
		at += int(n)
	}
}

// propagate appends the consequences of trail[head:] to the trail. conflict reports whether they
// contradict each other.
func (p *propagator) propagate(s *simplifier, head int) (conflict bool) {
	for ; head < len(s.trail); head++ {
		l := s.trail[head]
		implied := p.implied.itemsOfList(l)
		p.steps += 1 + len(implied)
		for _, x := range implied {
			switch s.value[x] {
			case open:
				p.reason[x>>1] = ^int32(l)
				s.setLiteral(lit(x))
			case negative:
				p.conflict, p.pair = noClause, [2]lit{l, lit(x)}
				return true
			}
		}
		if p.visitWatches(s, l.complement()) {
			return true
		}
	}
	return false
}

// takeSteps returns the number of steps since the last call.
func (p *propagator) takeSteps() int {
	n := p.steps
	p.steps = 0
	return n
}

// visitWatches examines the clauses that watch l, which has become false.
func (p *propagator) visitWatches(s *simplifier, l lit) (conflict bool) {
	watches := p.watch[l]
	p.steps += len(watches)
	kept := 0
	for i, w := range watches {
		if s.value[w.blocker] == positive {
			watches[kept] = w
			kept++
			continue
		}
		moved, other := p.moveWatch(s, int(w.clause), l)
		if moved {
			continue
		}
		watches[kept] = watch{w.clause, other}
		kept++
		truth := s.value[other]
		if w.clause == p.ignored && truth != positive {
			p.missed = true
			continue
		}
		switch truth {
		case open:
			p.reason[other>>1] = w.clause
			s.setLiteral(other)
		case negative:
			p.conflict = w.clause
			kept += copy(watches[kept:], watches[i+1:])
			p.watch[l] = watches[:kept]
			return true
		}
	}
	p.watch[l] = watches[:kept]
	return false
}

// moveWatch makes clause c watch a literal that is not false instead of l, if it has one besides
// the other watched literal.
func (p *propagator) moveWatch(s *simplifier, c int, l lit) (moved bool, other lit) {
	clause, place := s.clauseLiterals(c), &p.place[c]
	side := 0
	if clause[place[0]] != l {
		side = 1
	}
	other = clause[place[1-side]]
	if s.value[other] == positive {
		return false, other
	}
	from, n := place[side], int32(len(clause))
	for k := int32(1); k < n; k++ {
		i := from + k
		if i >= n {
			i -= n
		}
		if x := clause[i]; s.value[x] != negative && x != other {
			place[side] = i
			p.watch[x] = append(p.watch[x], watch{int32(c), other})
			p.steps += int(k)
			return true, other
		}
	}
	p.steps += len(clause)
	return false, other
}

// undoTrail undoes the assignments since the trail had length n.
func (s *simplifier) undoTrail(n int) {
	for _, l := range s.trail[n:] {
		s.value[l], s.value[l.complement()] = open, open
	}
	s.trail = s.trail[:n]
}

// unwatchClause removes clause c of three or more literals from the index. The time is
// proportional to the lists of its two watches.
func (p *propagator) unwatchClause(s *simplifier, c int) {
	clause := s.clauseLiterals(c)
	for _, i := range p.place[c] {
		l := clause[i]
		watches := p.watch[l]
		at := slices.IndexFunc(watches, func(w watch) bool { return w.clause == int32(c) })
		p.watch[l] = append(watches[:at], watches[at+1:]...)
		p.steps += len(watches)
	}
}

// watchClause adds clause c, whose first two literals are open, to the index.
func (p *propagator) watchClause(s *simplifier, c int) {
	clause := s.clauseLiterals(c)
	a, b := clause[0], clause[1]
	p.place[c] = [2]int32{0, 1}
	p.watch[a] = append(p.watch[a], watch{int32(c), b})
	p.watch[b] = append(p.watch[b], watch{int32(c), a})
}
