package plain

import (
	"treesplit/sat"
	"treesplit/sat/proof"
)

// walk is a procedure of rule plain. It keeps values and sums apart: the units of a node are
// propagated on the values alone. The sums are updated only if that ends without a conflict,
// which is the case at fewer than half of the nodes.
type walk struct {
	rule  *Rule
	value []truth // of each literal
	trail []int32 // the literals that are true, in the order in which they became so
	left  []leftover
	done  int // left includes trail[:done]

	sums sums

	levels []level // the nodes from the root on
	pure   []int32 // pure literals just found, in chooseBranch
}

// truth is the value of a literal. The sum of the values of two literals is different for each
// possible state of a clause of three.
type truth uint8

const (
	free    truth = 0
	isFalse truth = 1
	isTrue  truth = 4
)

// leftover describes the literals of a longer clause that are not false.
type leftover struct {
	count int32
	xor   int32 // XOR of these literals, so that the last one is found without a search
}

// level gives the starts of a node's two parts of the trail: the literals of its step and of
// propagation, and the pure literals, which end where the next node's part begins. At a conflict
// both parts are empty, and pure is -1.
type level struct{ units, pure int32 }

// Begin returns a procedure without nodes. Its memory is proportional to the number of longer
// clauses and of variables that occur.
func (r *Rule) Begin() sat.Procedure {
	w := &walk{
		rule:   r,
		value:  make([]truth, 2*len(r.names)),
		trail:  make([]int32, 0, len(r.names)),
		left:   make([]leftover, len(r.ends)-1),
		levels: make([]level, 0, len(r.names)+1),
		pure:   make([]int32, 0, len(r.names)),
		sums:   newSums(r),
	}
	for c := range w.left {
		lits := r.literals[r.ends[c]:r.ends[c+1]]
		w.left[c].count = int32(len(lits))
		for _, l := range lits {
			w.left[c].xor ^= l
		}
	}
	return w
}

// Visit makes the literal true and propagates. It writes nothing to the log: a checker of proofs
// propagates by itself, and does not need pure literals, which make no clause shorter.
func (w *walk) Visit(literal int32, _ *proof.Log) (branch int32, outcome sat.Outcome) {
	mark := len(w.trail)
	w.levels = append(w.levels, level{int32(mark), -1})
	if !w.beginStep(literal) || !w.propagate() {
		w.undoTrail(mark)
		return sat.NoLiteral, sat.Conflict
	}
	w.sums.enterChild()
	w.sums.assignTrail(w.trail[mark:])
	w.levels[len(w.levels)-1].pure = int32(len(w.trail))
	if branch = w.chooseBranch(); branch < 0 {
		return branch, sat.Solution
	}
	return branch, sat.Inner
}

// beginStep makes the first literals of a step true: the step's literal or, at the root, the unit
// clauses. It returns false on a conflict.
func (w *walk) beginStep(literal int32) bool {
	if literal != sat.NoLiteral {
		w.setLiteral(literal)
		return true
	}
	if w.rule.hasEmpty {
		return false
	}
	for _, l := range w.rule.units {
		if w.value[l] == isFalse {
			return false
		}
		if w.value[l] == free {
			w.setLiteral(l)
		}
	}
	return true
}

// setLiteral makes a free literal true.
func (w *walk) setLiteral(l int32) {
	w.value[l], w.value[l^1] = isTrue, isFalse
	w.trail = append(w.trail, l)
}

// propagate makes the literals of unit clauses true until no unit clause remains. It returns
// false on a conflict.
func (w *walk) propagate() bool {
	r, value := w.rule, w.value
	for head := w.done; head < len(w.trail); head++ {
		l := w.trail[head] ^ 1
		k := &r.lists[l]
		for _, b := range r.binary[k.binary:k.binaryEnd] {
			if value[b] == free {
				w.setLiteral(b)
			} else if value[b] == isFalse {
				return false
			}
		}
		for _, p := range r.ternary[k.ternary:k.ternaryEnd] {
			switch value[p.a] + value[p.b] {
			case free + isFalse:
				b := p.a
				if value[b] != free {
					b = p.b
				}
				w.setLiteral(b)
			case isFalse + isFalse:
				return false
			}
		}
		w.done++
		if k.long < k.longEnd && !w.shortenLong(l, r.long[k.long:k.longEnd]) {
			return false
		}
	}
	return true
}

// shortenLong removes a literal that has become false from the longer clauses. It updates all
// clauses even after a conflict.
func (w *walk) shortenLong(l int32, long []int32) (consistent bool) {
	consistent = true
	for _, c := range long {
		k := &w.left[c]
		k.count--
		k.xor ^= l
		if k.count == 1 {
			switch w.value[k.xor] {
			case free:
				w.setLiteral(k.xor)
			case isFalse:
				consistent = false
			}
		}
	}
	return consistent
}

// undoTrail undoes the values of the trail from mark on.
func (w *walk) undoTrail(mark int) {
	for i := len(w.trail) - 1; i >= mark; i-- {
		l := w.trail[i] ^ 1
		w.value[l], w.value[l^1] = free, free
		if i < w.done {
			k := &w.rule.lists[l]
			for _, c := range w.rule.long[k.long:k.longEnd] {
				w.left[c].count++
				w.left[c].xor ^= l
			}
		}
	}
	w.trail = w.trail[:mark]
	w.done = mark
}

// Back undoes the last Visit.
func (w *walk) Back() {
	k := w.levels[len(w.levels)-1]
	w.levels = w.levels[:len(w.levels)-1]
	if k.pure < 0 {
		return
	}
	w.sums.releaseTrail(w.trail[k.units:], int(k.pure-k.units))
	w.sums.leaveChild()
	for _, l := range w.trail[k.pure:] {
		w.value[l], w.value[l^1] = free, free
	}
	w.trail = w.trail[:k.pure]
	w.undoTrail(int(k.units))
}

// Model appends the literals that are true.
func (w *walk) Model(dst []int32) []int32 {
	for _, l := range w.trail {
		dst = append(dst, w.rule.Name(l))
	}
	return dst
}

// Assigned returns the number of literals that are true.
func (w *walk) Assigned() int { return len(w.trail) }
