package simplify

import "treesplit/internal/splitmix"

// Bounded variable elimination: the clauses with a variable are replaced by their resolvents on
// the variable, if there are at most as many. If a gate defines the variable, only some of the
// resolvents are needed (eliminate_gates.go), and the number of clauses may grow by a bound. The
// bound is 0 until no variable is left that fits, then 8, then 16. For circuits this makes the
// engine of sat/cdcl up to twice as fast as the bound 0; formulas without gates, if they may grow,
// make it slower.
//
// Variables with the smallest product of the numbers of their clauses come first
// (eliminate_heap.go). A variable is tried again when its clauses have changed. New clauses remove
// and shorten others (eliminate_subsume.go).
//
// Lemmas: each resolvent has RUP. After the last one, those removed clauses that are lemmas are
// deleted. Clauses of the input become obsolete.
//
// Source: N. Eén, A. Biere, Effective Preprocessing in SAT Through Variable and Clause
// Elimination, SAT 2005; A. Biere, K. Fazekas, M. Fleury, M. Heisinger, CaDiCaL, Kissat, Paracooba,
// Plingeling and Treengeling, SAT Competition 2020, for the increasing bound.
type eliminator struct {
	*simplifier
	occurs    [][]int32 // by literal: the clauses that contain it, and some removed clauses
	count     []int32   // by literal: number of clauses that contain it
	bits      []uint64  // by clause: its variables, see variableBit
	changed   []int32   // variables whose clauses have changed since the last flushChanged
	isChanged []bool    // by variable
	tried     []uint64  // by variable: a hash of the clauses with which it did not fit the bound
	heap      costHeap
	queue     []int32 // clauses that may subsume others
	queued    []bool  // by clause
	head      int     // trail[:head] was removed from the clauses
	hasGate   []bool  // by variable: a gate was found at the last try
	bound     int     // number of clauses by which a formula may grow per variable with a gate
	removed   int     // number of variables eliminated since the start
	gate      gate
	backing   []int32

	newLiterals int // number of literals of the resolvents that fitsBound has counted
}

// Limits of a variable that is tried. They are generous: the steps bound the time.
const (
	maxBound       = 16
	maxOccurrences = 400 // of each literal
	maxResolvent   = 100 // literals
)

// eliminateVariables eliminates variables until none fits the bound or the steps are used up.
func (s *simplifier) eliminateVariables() {
	e := &s.eliminator
	e.buildOccurrences(s)
	e.listCandidates()
	for s.work.eliminate > 0 && !s.refuted {
		e.subsumeQueued()
		e.flushChanged()
		v, ok := e.heap.popCheapest()
		switch {
		case ok:
			e.tryVariable(v)
		case e.removed == 0 && e.bound < maxBound:
			e.raiseBound()
		default:
			e.hashClauses(e.tried)
			return
		}
	}
}

// raiseBound raises the bound and queues the variables for which it matters.
func (e *eliminator) raiseBound() {
	e.bound += 8
	e.hashClauses(e.tried)
	for v, hasGate := range e.hasGate {
		if hasGate {
			e.tried[v] = 0
		}
	}
	e.listCandidates()
}

// listCandidates queues the variables whose clauses are not those with which it was tried.
func (e *eliminator) listCandidates() {
	hashes := make([]uint64, len(e.tried))
	e.hashClauses(hashes)
	for v := range hashes {
		if hashes[v] != e.tried[v] {
			e.noteChange(lit(2 * v))
		}
	}
}

// hashClauses sets the hash of each variable to a hash of the clauses that contain the variable.
func (e *eliminator) hashClauses(hashes []uint64) {
	clear(hashes)
	for c := range e.clauses {
		if e.clauses[c].size < 0 {
			continue
		}
		h := uint64(0)
		for _, l := range e.clauseLiterals(c) {
			h += splitmix.Next(uint64(l))
		}
		h = splitmix.Next(h)
		for _, l := range e.clauseLiterals(c) {
			hashes[l>>1] += h
		}
	}
}

// tryVariable eliminates v if it fits the bound.
func (e *eliminator) tryVariable(v int32) {
	p, n := lit(2*v), lit(2*v+1)
	total := e.count[p] + e.count[n]
	if total == 0 || e.value[p] != open || max(e.count[p], e.count[n]) > maxOccurrences && min(e.count[p], e.count[n]) > 0 {
		return
	}
	e.dropRemoved(p)
	e.dropRemoved(n)
	e.gate.findGate(e.simplifier, e.occurs[p], e.occurs[n], p)
	e.inject(gateFound)
	limit := int(total)
	if e.hasGate[v] = e.gate.found; e.gate.found {
		limit += e.bound
	}
	if !e.fitsBound(p, n, limit) || !e.hasRoom() {
		return
	}
	e.stats.Eliminated++
	if e.gate.found {
		e.stats.Gates++
	}
	e.changes++
	e.removed++
	e.addResolvents(p, n)
	e.removeVariable(p, n)
	e.inject(variableRemoved)
	e.propagateUnits()
}

// removeVariable removes the clauses with p and its negation n. The clauses of the literal whose
// clauses have fewer literals are stored for models.
func (e *eliminator) removeVariable(p, n lit) {
	stored := p
	if e.countLiterals(n) < e.countLiterals(p) {
		stored = n
	}
	for _, c := range e.occurs[stored] {
		e.storeClause(stored, e.clauseLiterals(int(c)))
	}
	e.steps = append(e.steps, step{stored.complement(), always})
	for _, l := range [...]lit{p, n} {
		for _, c := range e.occurs[l] {
			e.dropClause(int(c))
		}
		e.occurs[l] = nil
	}
}

// countLiterals returns the number of literals of the clauses with l.
func (e *eliminator) countLiterals(l lit) (n int) {
	for _, c := range e.occurs[l] {
		n += int(e.clauses[c].size)
	}
	return n
}
