package sat

import (
	"slices"

	"treesplit/sat/proof"
)

// Unit is rule unit: rule paper with unit propagation. At a node every clause without a true
// literal and with one free literal makes that literal true, until no such clause remains or a
// clause has no free literal. The second case is a conflict leaf. Then the node is the same as
// under rule paper: a solution leaf if no clause is open; otherwise it branches on the first free
// literal, in input order, of the first open clause.
//
// The result of propagation does not depend on its order: as long as no clause is empty, a unit
// clause stays unit until its literal is true, and more literals have at least the consequences
// of fewer. So the order is not part of the rule.
//
// A repeated literal in a clause counts once. A clause with complementary literals is never unit.
// It is open, and branched on, until one of its literals is true.
//
// Source: the splitting and unit rules of M. Davis, G. Logemann, D. Loveland, A Machine
// Program for Theorem-Proving, Comm. ACM 5 (1962), without their rule of pure literals.
type Unit struct {
	*clauseLists
	units    []int32 // literals that are clauses of their own, in input order
	hasEmpty bool    // a clause is empty: the root is a conflict leaf
}

// clauseLists holds the clauses of a formula, without repeated literals, and the clauses of each
// literal, in arrays without pointers.
type clauseLists struct {
	variables int     // of the formula, occurring or not
	names     Names   // of the variables that occur
	literals  []int32 // of all clauses, in input order
	clause    []int32 // literals[clause[c]:clause[c+1]] is clause c
	in        []int32 // the clauses of each literal, ascending
	at        []int32 // in[at[l]:at[l+1]] are the clauses of literal l
}

// NewUnit compiles the formula and keeps no reference to it. It takes O(L log L) time and O(L)
// memory for L literals and clauses.
func NewUnit(f *Formula) *Unit {
	u := &Unit{clauseLists: newClauseLists(f)}
	for c := range u.clause[1:] {
		switch lits := u.literals[u.clause[c]:u.clause[c+1]]; len(lits) {
		case 0:
			u.hasEmpty = true
		case 1:
			u.units = append(u.units, lits[0])
		}
	}
	return u
}

func newClauseLists(f *Formula) *clauseLists {
	names := VariableNamesOf(f)
	k := &clauseLists{
		variables: f.Variables,
		names:     names,
		literals:  make([]int32, 0, f.LiteralCount()),
		clause:    make([]int32, 1, f.Len()+1),
		at:        make([]int32, 2*len(names)+1),
	}
	last := make([]int32, 2*len(names)) // 1 + the last clause in which each literal was found
	for c, clause := range f.Clauses() {
		for _, dimacs := range clause {
			l := names.FromDIMACS(dimacs)
			if last[l] != int32(c+1) {
				last[l] = int32(c + 1)
				k.literals = append(k.literals, l)
				k.at[l+1]++
			}
		}
		k.clause = append(k.clause, int32(len(k.literals)))
	}
	k.indexOccurrences()
	return k
}

// indexOccurrences fills in. On entry at[l+1] is the number of occurrences of literal l; on
// return it is the end of the literal's list.
func (k *clauseLists) indexOccurrences() {
	for l := range k.at[1:] {
		k.at[l+1] += k.at[l]
	}
	k.in = make([]int32, len(k.literals))
	next := slices.Clone(k.at)
	for c := range k.clause[1:] {
		for _, l := range k.literals[k.clause[c]:k.clause[c+1]] {
			k.in[next[l]] = int32(c)
			next[l]++
		}
	}
}

// Variables returns the number of variables of the formula.
func (k *clauseLists) Variables() int { return k.variables }

// MaxDepth returns the number of variables that occur.
func (k *clauseLists) MaxDepth() int { return len(k.names) }

// Name returns the DIMACS number of a literal.
func (k *clauseLists) Name(literal int32) int32 { return k.names.Name(literal) }

// unitWalk is a procedure of rule unit.
type unitWalk struct {
	rule  *Unit
	value []truth    // value[l] of each literal
	left  []leftover // left[c] of each clause, under trail[:done]
	trail []int32    // the literals that are true, in the order in which they became so
	done  int        // trail[:done] were propagated

	// The nodes from the root on, node i at depth i: start[i] is the start of its part of the
	// trail, empty at a conflict; from[i] is its first open clause.
	start []int32
	from  []int32
}

// leftover describes the literals of a clause that are not false.
type leftover struct {
	count int32
	xor   int32 // XOR of these literals, so that the last one is found without a search
}

// Begin returns a procedure without nodes. It takes O(C+V) memory for C clauses and V variables
// that occur.
func (u *Unit) Begin() Procedure {
	w := &unitWalk{
		rule:  u,
		value: make([]truth, 2*len(u.names)),
		left:  make([]leftover, len(u.clause)-1),
		trail: make([]int32, 0, len(u.names)),
		start: make([]int32, 0, len(u.names)+1),
		from:  make([]int32, len(u.names)+1),
	}
	for c := range w.left {
		lits := u.literals[u.clause[c]:u.clause[c+1]]
		w.left[c].count = int32(len(lits))
		for _, l := range lits {
			w.left[c].xor ^= l
		}
	}
	return w
}

// Visit assigns the literal and propagates it. It writes nothing to the log, because a checker of
// proofs does unit propagation by itself.
func (w *unitWalk) Visit(literal int32, _ *proof.Log) (branch int32, outcome Outcome) {
	depth, mark := len(w.start), len(w.trail)
	w.start = append(w.start, int32(mark))
	if !w.beginStep(literal) || !w.propagate() {
		w.undoTrail(mark)
		return NoLiteral, Conflict
	}
	clause := int32(0)
	if depth > 0 {
		clause = w.from[depth-1]
	}
	if branch, w.from[depth] = w.firstFree(clause); branch < 0 {
		return NoLiteral, Solution
	}
	return branch, Inner
}

// beginStep makes the first literals of a step true: the step's literal or, at the root, the unit
// clauses. It returns false on a conflict.
func (w *unitWalk) beginStep(literal int32) bool {
	if literal != NoLiteral {
		return w.setLiteral(literal)
	}
	if w.rule.hasEmpty {
		return false
	}
	for _, l := range w.rule.units {
		if !w.setLiteral(l) {
			return false
		}
	}
	return true
}

// setLiteral makes a literal true. It returns false if the literal is false.
func (w *unitWalk) setLiteral(literal int32) bool {
	switch w.value[literal] {
	case isFalse:
		return false
	case unassigned:
		w.value[literal], w.value[literal^1] = isTrue, isFalse
		w.trail = append(w.trail, literal)
	}
	return true
}

// propagate propagates until nothing changes. It returns false on a conflict; the clauses of the
// literals before done are then up to date.
func (w *unitWalk) propagate() bool {
	in, at, left, consistent := w.rule.in, w.rule.at, w.left, true
	for w.done < len(w.trail) && consistent {
		l := w.trail[w.done] ^ 1
		w.done++
		for _, c := range in[at[l]:at[l+1]] {
			k := &left[c]
			k.count--
			if k.xor ^= l; k.count == 1 && !w.setLiteral(k.xor) {
				consistent = false // the rest of the list must still be counted
			}
		}
	}
	return consistent
}

// undoTrail undoes the trail from mark on.
func (w *unitWalk) undoTrail(mark int) {
	in, at, left := w.rule.in, w.rule.at, w.left
	for i := len(w.trail) - 1; i >= mark; i-- {
		l := w.trail[i] ^ 1
		w.value[l], w.value[l^1] = unassigned, unassigned
		if i >= w.done {
			continue
		}
		for _, c := range in[at[l]:at[l+1]] {
			left[c].count++
			left[c].xor ^= l
		}
	}
	w.trail = w.trail[:mark]
	w.done = mark
}

// firstFree returns the first free literal of the first open clause at or after the given clause,
// and that clause, or -1 and -1. The first open clause of a node is never before the first open
// clause of its parent.
func (w *unitWalk) firstFree(clause int32) (literal, open int32) {
	literals, ends, value := w.rule.literals, w.rule.clause, w.value
next:
	for ; int(clause) < len(ends)-1; clause++ {
		literal = -1
		for _, l := range literals[ends[clause]:ends[clause+1]] {
			switch value[l] {
			case isTrue:
				continue next
			case unassigned:
				if literal < 0 {
					literal = l
				}
			}
		}
		return literal, clause
	}
	return -1, -1
}

// Back undoes the last Visit.
func (w *unitWalk) Back() {
	last := len(w.start) - 1
	w.undoTrail(int(w.start[last]))
	w.start = w.start[:last]
}

// Model appends the literals that are true.
func (w *unitWalk) Model(dst []int32) []int32 {
	for _, l := range w.trail {
		dst = append(dst, w.rule.Name(l))
	}
	return dst
}

// Assigned returns the number of literals that are true.
func (w *unitWalk) Assigned() int { return len(w.trail) }
