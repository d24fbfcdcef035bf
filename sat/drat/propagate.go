package drat

// The values of a literal. They are such that a clause of two or three literals, one
// of which is false, is satisfied or has two free literals if the values of the
// other two add up to 2 or more, is unit if they add up to 1, and false if to 0.
const (
	isFalse = uint8(0)
	isFree  = uint8(1)
	isTrue  = uint8(2)
)

// pair is an entry in the list of a literal l: a clause of l, a and b, or of l and a,
// where b is the constant false. Short clauses are in the lists of all their literals
// and looked at when one becomes false, which spares watching.
type pair struct {
	a, b   literal
	clause ref
}

// watch is an entry in the list of a literal l: a clause of four literals or more is
// to be looked at when l becomes false. Where blocker, another literal of it, is
// true, it need not be.
type watch struct {
	blocker literal
	clause  ref
}

// trail is a partial assignment and unit propagation over it: two watched literals a
// long clause (Moskewicz et al., "Chaff", DAC 2001, section 2), with blockers
// (Sörensson and Eén, "MiniSat 2.1", 2008). Level 0, the top level, holds what the
// clauses imply; every level above begins with an assumption.
//
// Where propagation has come to the end without conflict: of a long clause's first
// two literals, which are watched, either none is false, or one is and the other, or
// the blocker, has been true since no higher level. Going back to a lower level
// keeps that.
type trail struct {
	database
	values  []uint8   // by literal
	pairs   [][]pair  // by literal
	watches [][]watch // by literal
	level   []int32   // by variable, of those assigned
	reason  []ref     // by variable, of those assigned: the clause that implied it, or none
	queue   []literal // true literals in the order of their assignment
	short   int       // queue[short:] is still to be propagated by short clauses
	long    int       // queue[long:] by long ones
	starts  []int32   // starts[i] is where level i+1 begins in queue, with its assumption
}

// addVariable makes room for another variable, with the values of its literals.
func (t *trail) addVariable(positive, negative uint8) {
	t.values = append(t.values, positive, negative)
	t.pairs = append(t.pairs, nil, nil)
	t.watches = append(t.watches, nil, nil)
	t.level = append(t.level, 0)
	t.reason = append(t.reason, none)
}

// currentLevel is the present level.
func (t *trail) currentLevel() int32 { return int32(len(t.starts)) }

// assumption is the literal that level i ≥ 1 assumes true.
func (t *trail) assumption(i int) literal { return t.queue[t.starts[i-1]] }

// assignLiteral makes l true on the present level.
func (t *trail) assignLiteral(l literal, why ref) {
	t.values[l], t.values[l^1] = isTrue, isFalse
	t.level[l>>1], t.reason[l>>1] = t.currentLevel(), why
	t.queue = append(t.queue, l)
}

// assumeLiteral begins a level with l, which is free.
func (t *trail) assumeLiteral(l literal) {
	t.starts = append(t.starts, int32(len(t.queue)))
	t.assignLiteral(l, none)
}

// backToLevel takes back all levels above the given one.
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
	t.short, t.long = start, start // all below the last level has been propagated
}

// enlistClause enters a clause of two literals or more into the lists.
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

// propagate assigns what follows by units from the queue, by short clauses as long
// as they have something to say: half of the time where lemmas are long. It is false
// if a clause has become false; then the present level has to be taken back.
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
		if !t.visitLong(t.queue[t.long-1] ^ 1) {
			return false
		}
	}
}

// visitShort goes through the short clauses of l, which has become false.
func (t *trail) visitShort(l literal) bool {
	list, values := t.pairs[l], t.values
	for i := range list {
		p := &list[i]
		sum := values[p.a] + values[p.b]
		if sum > 1 || t.isDeleted(p.clause) {
			continue
		}
		if sum == 0 {
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

// visitLong goes through the clauses that watch l, which has become false.
func (t *trail) visitLong(l literal) bool {
	list := t.watches[l]
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
		if v != isTrue && t.moveWatch(c, w.clause) {
			continue
		}
		list[kept] = watch{first, w.clause}
		kept++
		switch v {
		case isFalse:
			kept += copy(list[kept:], list[i+1:])
			t.watches[l] = list[:kept]
			return false
		case isFree:
			t.assignLiteral(first, w.clause)
		}
	}
	t.watches[l] = list[:kept]
	return true
}

// moveWatch lets the clause watch another literal in place of c[1], if one is not false.
func (t *trail) moveWatch(c []literal, r ref) bool {
	for k := 2; k < len(c); k++ {
		if x := c[k]; t.values[x] != isFalse {
			c[1], c[k] = x, c[1]
			t.watches[x] = append(t.watches[x], watch{c[0], r})
			return true
		}
	}
	return false
}

// collectGarbage compacts the arena and brings all references up to date.
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
