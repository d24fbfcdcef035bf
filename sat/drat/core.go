package drat

// Core first: propagation in the second pass of a backward check visits the clauses that are
// marked already before the other ones, so that a conflict marks few new clauses, and fewer lemmas
// have to be checked. Each literal has two lists of watches. The first unit that an unmarked
// clause gives interrupts the visit of its list, and marked clauses are visited again. Short
// clauses are in one list and come first, marked or not, because they are cheap. Source: Heule,
// Hunt, Wetzler, Trimming while Checking Clausal Proofs, FMCAD 2013, section 4.

// propagateCoreFirst assigns the literals that follow by units from the queue. It returns false
// if a clause has become false; the current level must then be undone.
func (b *backward) propagateCoreFirst() bool {
	for {
		switch {
		case b.short < len(b.queue):
			b.short++
			if !b.visitShort(b.queue[b.short-1] ^ 1) {
				return false
			}
		case b.coreHead < len(b.queue):
			b.coreHead++
			if !b.visitLong(b.core, b.queue[b.coreHead-1]^1) {
				return false
			}
		case b.long < len(b.queue):
			if !b.visitRest(b.queue[b.long] ^ 1) {
				return false
			}
		default:
			return true
		}
	}
}

// visitRest examines the unmarked clauses that watch l, up to the first one that gives a unit. A
// clause that has been marked since the last visit moves to the list of marked clauses.
func (b *backward) visitRest(l literal) bool {
	list := b.watches[l]
	for i := b.restAt; i < len(list); {
		w := list[i]
		if b.values[w.blocker] == isTrue {
			i++
			continue
		}
		size := b.arena[w.clause+sizeWord]
		if size < 0 {
			list = dropWatch(list, i)
			continue
		}
		lists, isCore := b.watches, b.isCore(w.clause)
		if isCore {
			lists = b.core
		}
		c := b.arena[w.clause+headerSize : w.clause+headerSize+size]
		if c[0] == l {
			c[0], c[1] = c[1], l
		}
		if b.values[c[0]] != isTrue && b.moveWatch(lists, c, w.clause) {
			list = dropWatch(list, i)
			continue
		}
		w.blocker = c[0]
		if isCore {
			b.core[l] = append(b.core[l], w)
			list = dropWatch(list, i)
		} else {
			list[i] = w
			i++
		}
		switch b.values[c[0]] {
		case isFalse:
			b.watches[l], b.conflict = list, w.clause
			return false
		case isFree:
			b.assignLiteral(c[0], w.clause)
			b.watches[l], b.restAt = list, i
			return true
		}
	}
	b.watches[l], b.restAt = list, 0
	b.long++
	return true
}

// dropWatch removes an entry; the last one takes its place.
func dropWatch(list []watch, i int) []watch {
	last := len(list) - 1
	list[i] = list[last]
	return list[:last]
}

// beginAssumptions begins a level.
func (b *backward) beginAssumptions() {
	b.starts = append(b.starts, int32(len(b.queue)))
	b.coreHead, b.restAt = len(b.queue), 0
}
