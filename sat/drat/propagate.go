package drat

// The values of a literal.
const (
	isFalse = int8(-1)
	isFree  = int8(0)
	isTrue  = int8(1)
)

// watch is an entry in the list of a literal l: clause, of at least two literals,
// is to be looked at when l becomes false. Where blocker, another literal of it, is
// true, it need not be.
type watch struct {
	blocker literal
	clause  ref // negative for a clause of two literals: its complement
}

// trail is a partial assignment and unit propagation over it: two watched literals
// a clause (Moskewicz et al., "Chaff", DAC 2001, section 2), with blockers
// (Sörensson and Eén, "MiniSat 2.1", 2008). Level 0, the top level, holds what the
// clauses imply; every level above begins with an assumption.
//
// Where propagation has come to the end without conflict: of a clause's two watched
// literals either none is false, or one is and the other, or the blocker, has been
// true since no higher level. Going back to a lower level keeps that.
type trail struct {
	database
	values  []int8    // by literal
	watches [][]watch // by literal
	level   []int32   // by variable, of those assigned
	reason  []ref     // by variable, of those assigned: the clause that implied it, or none
	queue   []literal // true literals in the order of their assignment
	head    int       // queue[head:] is still to be propagated
	starts  []int32   // starts[i] is where level i+1 begins in queue, with its assumption
}

// top is the present level.
func (t *trail) top() int32 { return int32(len(t.starts)) }

// assumption is the literal that level i ≥ 1 assumes true.
func (t *trail) assumption(i int) literal { return t.queue[t.starts[i-1]] }

// assign makes l true on the present level.
func (t *trail) assign(l literal, why ref) {
	t.values[l], t.values[l^1] = isTrue, isFalse
	t.level[l>>1], t.reason[l>>1] = t.top(), why
	t.queue = append(t.queue, l)
}

// assume begins a level with l, which is free.
func (t *trail) assume(l literal) {
	t.starts = append(t.starts, int32(len(t.queue)))
	t.assign(l, none)
}

// back takes back all levels above the given one.
func (t *trail) back(level int32) {
	if level >= t.top() {
		return
	}
	start := int(t.starts[level])
	for _, l := range t.queue[start:] {
		t.values[l], t.values[l^1] = isFree, isFree
	}
	t.queue = t.queue[:start]
	t.starts = t.starts[:level]
	t.head = min(t.head, start)
}

// watch enters a clause into the lists of its first two literals.
func (t *trail) watch(r ref) {
	c := t.literals(r)
	entry := r
	if len(c) == 2 {
		entry = ^r
	}
	t.watches[c[0]] = append(t.watches[c[0]], watch{c[1], entry})
	t.watches[c[1]] = append(t.watches[c[1]], watch{c[0], entry})
}

// propagate assigns what follows by units from the queue. It is false if a clause
// has become false; then the present level has to be taken back.
func (t *trail) propagate() bool {
	for t.head < len(t.queue) {
		l := t.queue[t.head]
		t.head++
		if !t.visit(l ^ 1) {
			return false
		}
	}
	return true
}

// visit goes through the clauses that watch l, which has become false.
func (t *trail) visit(l literal) bool {
	list := t.watches[l]
	kept := 0
	for i, w := range list {
		v := t.values[w.blocker]
		if v == isTrue {
			list[kept] = w
			kept++
			continue
		}
		if w.clause < 0 {
			if t.deleted(^w.clause) {
				continue
			}
			list[kept] = w
			kept++
			if v == isFalse {
				kept += copy(list[kept:], list[i+1:])
				t.watches[l] = list[:kept]
				return false
			}
			t.assign(w.blocker, ^w.clause)
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
		v = t.values[first]
		if first != w.blocker && v == isTrue {
			list[kept] = watch{first, w.clause}
			kept++
			continue
		}
		if t.rewatch(c, w.clause) {
			continue
		}
		list[kept] = watch{first, w.clause}
		kept++
		if v == isFalse {
			kept += copy(list[kept:], list[i+1:])
			t.watches[l] = list[:kept]
			return false
		}
		t.assign(first, w.clause)
	}
	t.watches[l] = list[:kept]
	return true
}

// rewatch lets the clause watch another literal in place of c[1], if one is not false.
func (t *trail) rewatch(c []literal, r ref) bool {
	for k := 2; k < len(c); k++ {
		if x := c[k]; t.values[x] != isFalse {
			c[1], c[k] = x, c[1]
			t.watches[x] = append(t.watches[x], watch{c[0], r})
			return true
		}
	}
	return false
}

// collect compacts the arena and brings all references up to date.
func (t *trail) collect() {
	t.compact()
	for l, list := range t.watches {
		kept := list[:0]
		for _, w := range list {
			if w.clause >= 0 {
				w.clause = t.moved(w.clause)
			} else if w.clause = t.moved(^w.clause); w.clause != none {
				w.clause = ^w.clause
			} else {
				continue
			}
			if w.clause != none {
				kept = append(kept, w)
			}
		}
		t.watches[l] = kept
	}
	for _, l := range t.queue {
		if why := &t.reason[l>>1]; *why != none {
			*why = t.moved(*why)
		}
	}
}
