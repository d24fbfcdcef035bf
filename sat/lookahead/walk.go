package lookahead

import (
	"treesplit/sat"
	"treesplit/sat/proof"
)

// walk is a procedure of the rule, at the end of a path.
//
// The value of a literal is a stamp. At the time now a literal has a value if its stamp is at
// least now: true if the stamp is even and false if it is odd. Literals that are assigned
// permanently have the two largest stamps, which are below 1<<31: the sign of the difference of two
// stamps, as a number of 32 bits, shows which is larger. Assignments of trials are removed by
// increasing now.
type walk struct {
	rule  *Rule
	stamp []uint32
	now   uint32
	clock uint32 // the largest stamp given to a trial

	trail  []int32 // literals assigned permanently, in order
	closed int     // the binary clauses of trail[:closed] are propagated
	done   int     // the other clauses of trail[:done] are propagated

	implied [][]int32     // implied[l]: the literals that l implies by a binary clause
	grown   []implication // the additions to implied on this path, in order
	ternary ternary
	long    long

	active []int32 // variables of clauses that were shortened on this path
	isIn   []bool  // isIn[v]: v is active

	nodes   []node      // from the root on
	weights [][]float32 // weights[d][l]: weight of literal l at the node of depth d; weights[kept] is for all deeper nodes
	kept    int         // number of nodes on a path whose weights are kept
	weight  []float32   // weights of the current node
	trigger float32     // score above which trials are made below a trial

	scoring
	log   *proof.Log // of the Visit in progress, or nil
	steps int64      // see Steps
	trials
}

// implication is a binary clause ¬from ∨ to.
type implication struct{ from, to int32 }

// node is the state to which Back returns.
type node struct {
	trail, closed, done, grown, removed, active int
	trigger                                     float32
	weighed                                     int // 1 plus the depth of the last kept weights on the path; 0: none
}

// Stamps of literals that are assigned permanently.
const (
	isTrue  = uint32(1<<31 - 2)
	isFalse = uint32(1<<31 - 1)
)

// Begin returns a procedure that has not visited any node. Its memory is proportional to the size
// of the formula.
func (r *Rule) Begin() sat.Procedure { return r.newWalk() }

func (r *Rule) newWalk() *walk {
	n := len(r.names)
	w := &walk{
		rule:    r,
		stamp:   make([]uint32, 2*n),
		trail:   make([]int32, 0, n),
		implied: make([][]int32, 2*n),
		grown:   make([]implication, 0, 2*n),
		active:  make([]int32, 0, n),
		isIn:    make([]bool, n),
		nodes:   make([]node, 0, min(n+1, 1<<10)),
		ternary: newTernary(r.ternaries, 2*n),
		long:    newLong(r.long, 2*n),
		trials:  newTrials(n),
		kept:    keptNodes(2 * n),
	}
	w.roomForWeights(min(n, 64, w.kept))
	w.scoring = r.newScoring()
	w.reserveImplications()
	for _, b := range r.binaries {
		w.implied[b[0]^1] = append(w.implied[b[0]^1], b[1])
		w.implied[b[1]^1] = append(w.implied[b[1]^1], b[0])
	}
	return w
}

// reserveImplications reserves memory in the lists of implications for all clauses that the
// formula can add, and some for clauses that trials add.
func (w *walk) reserveImplications() {
	room := make([]int, len(w.implied))
	for _, b := range w.rule.binaries {
		room[b[0]^1]++
		room[b[1]^1]++
	}
	total := 0
	for l := range room {
		room[l] += int(w.ternary.size[l]) + len(w.long.in[l^1]) + 4
		total += room[l]
	}
	all := make([]int32, total)
	for l, n := range room {
		w.implied[l], all = all[:0:n], all[n:]
	}
}

// Visit makes the literal true and looks ahead.
func (w *walk) Visit(literal int32, log *proof.Log) (branch int32, outcome sat.Outcome) {
	w.log = log
	if !w.stepDown(literal) {
		return sat.NoLiteral, sat.Conflict
	}
	return w.look()
}

// stepDown saves the state and makes the literal true. It returns false on a conflict.
func (w *walk) stepDown(literal int32) bool {
	w.nodes = append(w.nodes, node{len(w.trail), w.closed, w.done, len(w.grown), len(w.ternary.removed), len(w.active), w.trigger, w.weighedAbove(len(w.nodes))})
	return w.enterNode(literal)
}

// look looks ahead at the current node.
func (w *walk) look() (branch int32, outcome sat.Outcome) {
	if !w.lookAhead() {
		return sat.NoLiteral, sat.Conflict
	}
	if len(w.candidates) == 0 {
		return sat.NoLiteral, sat.Solution
	}
	return w.chooseBranch(), sat.Inner
}

// enterNode assigns the literals that lead to the node. It returns false on a conflict.
func (w *walk) enterNode(literal int32) bool {
	if literal != sat.NoLiteral {
		return w.setLiteral(literal) && w.propagate()
	}
	for _, l := range w.rule.units {
		if !w.setLiteral(l) {
			return false
		}
	}
	return !w.rule.hasEmpty && w.propagate()
}

// Back undoes the last Visit, in reverse order.
func (w *walk) Back() {
	n := w.nodes[len(w.nodes)-1]
	w.nodes = w.nodes[:len(w.nodes)-1]
	w.ternary.restoreEntries(n.removed)
	for i := w.done - 1; i >= n.done; i-- {
		w.long.retractLiteral(w.trail[i])
	}
	for _, l := range w.trail[n.trail:] {
		w.stamp[l], w.stamp[l^1] = 0, 0
	}
	for i := len(w.grown) - 1; i >= n.grown; i-- {
		l := w.grown[i].from
		w.implied[l] = w.implied[l][:len(w.implied[l])-1]
	}
	for _, v := range w.active[n.active:] {
		w.isIn[v] = false
	}
	w.trail, w.closed, w.done = w.trail[:n.trail], n.closed, n.done
	w.grown, w.active, w.trigger = w.grown[:n.grown], w.active[:n.active], n.trigger
}

// Model appends the literals of the trail.
func (w *walk) Model(dst []int32) []int32 {
	for _, l := range w.trail {
		dst = append(dst, w.rule.Name(l))
	}
	return dst
}

// Steps returns the number of steps of all visits so far. A step is about one visit of a clause by
// a trial, or of a literal of a clause by the weights.
func (w *walk) Steps() int64 { return w.steps }

// Assigned returns the number of literals that are true.
func (w *walk) Assigned() int { return len(w.trail) }
