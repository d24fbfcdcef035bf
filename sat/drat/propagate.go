package drat

// The values of a literal. The numbers make clauses of two and three literals fast to test. If
// one literal of the clause is false, add the values of the other two: at 2 or more the clause is
// satisfied or has two free literals, at 1 it is unit, and at 0 it is false.
const (
	isFalse = uint8(0)
	isFree  = uint8(1)
	isTrue  = uint8(2)
)

// pair is an entry in the list of a literal l: a clause of l, a and b, or a clause of l and a,
// with b the constant false. Short clauses are in the lists of all their literals and are
// examined when one of these becomes false. So they need no watches.
type pair struct {
	a, b   literal
	clause ref
}

// watch is an entry in the list of a literal l: a clause of four or more literals that must be
// examined when l becomes false. It need not be examined if blocker, another literal of the
// clause, is true.
type watch struct {
	blocker literal
	clause  ref
}

// trail is a partial assignment with unit propagation. Long clauses have two watched literals
// (Moskewicz et al., "Chaff", DAC 2001, section 2), with blockers (Sörensson and Eén, "MiniSat
// 2.1", 2008). Level 0, the top level, holds the literals that the clauses imply; every higher
// level begins with an assumption.
//
// Invariant after propagation without a conflict: the first two literals of a long clause are
// watched. Either neither of them is false, or one is false and the other, or the blocker, has
// been true since the same or a lower level. Going back to a lower level keeps the invariant.
type trail struct {
	database
	values   []uint8   // by literal
	pairs    [][]pair  // by literal
	stale    []bool    // by literal: its list of pairs may have deleted clauses
	watches  [][]watch // by literal
	level    []int32   // by assigned variable
	reason   []ref     // by assigned variable: the clause that implied it, or none
	queue    []literal // true literals in the order of their assignment
	short    int       // queue[short:] is not yet propagated by short clauses
	long     int       // queue[long:] is not yet propagated by long clauses
	conflict ref       // the clause that has become false in the last propagation that returned false
	starts   []int32   // starts[i] is the place in queue at which level i+1 begins, with its assumption
}

// addVariable adds a variable, with the values of its literals.
func (t *trail) addVariable(positive, negative uint8) {
	t.values = append(t.values, positive, negative)
	t.pairs = append(t.pairs, nil, nil)
	t.stale = append(t.stale, false, false)
	t.watches = append(t.watches, nil, nil)
	t.level = append(t.level, 0)
	t.reason = append(t.reason, none)
}

// currentLevel returns the current level.
func (t *trail) currentLevel() int32 { return int32(len(t.starts)) }

// assumption returns the literal that level i ≥ 1 assumes true.
func (t *trail) assumption(i int) literal { return t.queue[t.starts[i-1]] }

// assignLiteral makes l true on the current level.
func (t *trail) assignLiteral(l literal, why ref) {
	t.values[l], t.values[l^1] = isTrue, isFalse
	t.level[l>>1], t.reason[l>>1] = t.currentLevel(), why
	t.queue = append(t.queue, l)
}

// assumeLiteral begins a level with l, which must be free.
func (t *trail) assumeLiteral(l literal) {
	t.starts = append(t.starts, int32(len(t.queue)))
	t.assignLiteral(l, none)
}

// backToLevel undoes all levels above the given level.
func (t *trail) backToLevel(level int32) {
	if level >= t.currentLevel() {
		return
	}
	start := int(t.starts[level])
	for _, l := range t.queue[start:] {
		t.values[l], t.values[l^1] = isFree, isFree
	}
	t.queue = t.queue[:start]
	t.starts = t.starts[:level]
	t.short, t.long = start, start // everything below the last level has been propagated
}

// enlistClause adds a clause of two or more literals to the lists.
func (t *trail) enlistClause(r ref) {
	c := t.clauseLiterals(r)
	switch len(c) {
	case 2:
		t.pairs[c[0]] = append(t.pairs[c[0]], pair{c[1], 0, r})
		t.pairs[c[1]] = append(t.pairs[c[1]], pair{c[0], 0, r})
	case 3:
		t.pairs[c[0]] = append(t.pairs[c[0]], pair{c[1], c[2], r})
		t.pairs[c[1]] = append(t.pairs[c[1]], pair{c[0], c[2], r})
		t.pairs[c[2]] = append(t.pairs[c[2]], pair{c[0], c[1], r})
	default:
		t.watches[c[0]] = append(t.watches[c[0]], watch{c[1], r})
		t.watches[c[1]] = append(t.watches[c[1]], watch{c[0], r})
	}
}

// propagate assigns the literals that follow by units from the queue, first by short clauses as
// long as they give units: this halves the time if lemmas are long. It returns false if a clause
// has become false; the current level must then be undone.
func (t *trail) propagate() bool {
	for {
		for t.short < len(t.queue) {
			t.short++
			if !t.visitShort(t.queue[t.short-1] ^ 1) {
				return false
			}
		}
		if t.long == len(t.queue) {
			return true
		}
		t.long++
		if !t.visitLong(t.watches, t.queue[t.long-1]^1) {
			return false
		}
	}
}

// visitShort examines the short clauses of l, which has become false.
func (t *trail) visitShort(l literal) bool {
	if t.stale[l] {
		t.dropDeleted(l)
	}
	list, values := t.pairs[l], t.values
	for i := range list {
		p := &list[i]
		sum := values[p.a] + values[p.b]
		if sum > 1 {
			continue
		}
		if sum == 0 {
			t.conflict = p.clause
			return false
		}
		unit := p.a
		if values[unit] == isFalse {
			unit = p.b
		}
		t.assignLiteral(unit, p.clause)
	}
	return true
}

// dropDeleted drops the deleted clauses from a list of pairs.
func (t *trail) dropDeleted(l literal) {
	t.stale[l] = false
	kept := t.pairs[l][:0]
	for _, p := range t.pairs[l] {
		if !t.isDeleted(p.clause) {
			kept = append(kept, p)
		}
	}
	t.pairs[l] = kept
}

// retireClause deletes a clause that takeClause has returned. The lists drop it when they are visited.
func (t *trail) retireClause(r ref) {
	if c := t.clauseLiterals(r); len(c) <= 3 {
		for _, l := range c {
			t.stale[l] = true
		}
	}
	t.deleteClause(r)
}

// visitLong examines the clauses in the list of l, which has become false.
func (t *trail) visitLong(lists [][]watch, l literal) bool {
	list := lists[l]
	kept := 0
	for i, w := range list {
		if t.values[w.blocker] == isTrue {
			list[kept] = w
			kept++
			continue
		}
		size := t.arena[w.clause+sizeWord]
		if size < 0 {
			continue // deleted
		}
		c := t.arena[w.clause+headerSize : w.clause+headerSize+size]
		if c[0] == l {
			c[0], c[1] = c[1], l
		}
		first := c[0]
		v := t.values[first]
		if v != isTrue && t.moveWatch(lists, c, w.clause) {
			continue
		}
		list[kept] = watch{first, w.clause}
		kept++
		switch v {
		case isFalse:
			kept += copy(list[kept:], list[i+1:])
			lists[l] = list[:kept]
			t.conflict = w.clause
			return false
		case isFree:
			t.assignLiteral(first, w.clause)
		}
	}
	lists[l] = list[:kept]
	return true
}

// moveWatch makes the clause watch another literal instead of c[1], if one is not false.
func (t *trail) moveWatch(lists [][]watch, c []literal, r ref) bool {
	for k := 2; k < len(c); k++ {
		if x := c[k]; t.values[x] != isFalse {
			c[1], c[k] = x, c[1]
			lists[x] = append(lists[x], watch{c[0], r})
			return true
		}
	}
	return false
}

// collectGarbage compacts the arena and updates all references.
func (t *trail) collectGarbage() {
	t.compactArena()
	for l := range t.watches {
		pairs := t.pairs[l][:0]
		for _, p := range t.pairs[l] {
			if p.clause = t.movedClause(p.clause); p.clause != none {
				pairs = append(pairs, p)
			}
		}
		t.pairs[l] = pairs
		watches := t.watches[l][:0]
		for _, w := range t.watches[l] {
			if w.clause = t.movedClause(w.clause); w.clause != none {
				watches = append(watches, w)
			}
		}
		t.watches[l] = watches
	}
	for _, l := range t.queue {
		if why := &t.reason[l>>1]; *why != none {
			*why = t.movedClause(*why)
		}
	}
}
