// Package cdcl decides formulas by conflict-driven clause learning. It is incremental: clauses
// may be added between calls of Solve, each call may make assumptions and bound its conflicts,
// and after an unsatisfiable call the solver names the assumptions that failed.
//
// It is deterministic: the same calls give the same conflicts, models and lemmas on every
// machine. Limits are conflicts or counted steps (ticks), never time. Products of floating-point
// numbers are rounded explicitly, so that no machine fuses them with a sum.
//
// Each technique has its own file, which begins with the idea and its source. The order of the
// files on the way of a conflict is: propagate.go, analyze.go, minimize.go, shrink.go,
// strengthen.go, learn.go, restart.go, order.go. gauss.go adds the sums of parities. In between, reduce.go, vivify.go
// and phases.go maintain the learnt clauses and the phases.
//
// The structure follows N. Eén, N. Sörensson, An Extensible SAT-solver, SAT 2003 (MiniSat), and
// A. Biere, K. Fazekas, M. Fleury, M. Heisinger, CaDiCaL, Kissat, Paracooba, Plingeling and
// Treengeling, SAT Competition 2020.
package cdcl

import "math"

// Status is the result of a Solve.
type Status int8

// The results of Solve.
const (
	Unknown       Status = iota // the limit was reached first
	Satisfiable                 // Model has a model
	Unsatisfiable               // under the assumptions: Failed returns the assumptions that are needed
)

// String returns the result as one word.
func (s Status) String() string {
	return [...]string{"unknown", "satisfiable", "unsatisfiable"}[s]
}

// NoLimit is a limit of Solve that no search reaches.
const NoLimit = math.MaxInt64

// Options configure a Solver. The zero value suits most callers.
type Options struct {
	// Proof, if not nil, receives the lemmas and their deletions.
	Proof Proof
	// Hints requests the antecedents of each lemma for Proof. They cost memory and time.
	Hints bool
	// Parities selects the sums of parities that the solver uses besides its clauses.
	Parities Parities
	// Seed, if not 0, draws the first phases and the first order of the variables. Solvers with
	// different seeds search the same formula in different orders.
	Seed uint64
}

// Stats counts what a Solver has done, over all calls of Solve.
type Stats struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64 // literals whose watches were visited
	Ticks        int64 // steps of propagation: about one visit of a cache line
	Restarts     int64
	Rephases     int64
	Reductions   int64 // of the learnt clauses
	Learnt       int64 // clauses, units included
	Minimized    int64 // literals removed from learnt clauses
	Shrunken     int64 // literals removed from learnt clauses after that, by shrinking
	Vivified     int64 // clauses shortened by vivification
	Deleted      int64 // learnt clauses deleted

	Matrices        int64 // of parities, over all searches for parities
	Dropped         int64 // matrices that were not worth their steps
	Parities        int64 // their rows
	ParityImplied   int64 // literals assigned by rows
	ParityConflicts int64 // false rows
	ParityReasons   int64 // clauses of rows that analyses asked for
	ParityLines     int64 // lemmas that derive these clauses
	ParitySteps     int64 // words of matrices that were read or changed, about
}

// lit is a literal: 2·variable, plus 1 if it is negated. Variables are numbered from 0 in the
// order of their first use.
type lit = uint32

// ref names a clause: the index of its header in the arena, or none. With binaryFlag it is a
// clause of two literals, one of which is known from the context and the other one is the rest of
// the number.
type ref uint32

const (
	none       ref = 0 // no clause begins at 0
	binaryFlag ref = 1 << 31
)

// variable is the assignment of a variable. It is meaningful while the variable has a value.
type variable struct {
	level    int32  // number of decisions made before and with it
	reason   ref    // the clause that forced it; none for a decision, and at level 0
	position uint32 // on the trail
}

// Solver is an incremental solver. It must not be used concurrently.
type Solver struct {
	options  Options
	tuning   tuning
	fault    func(stage) // nil, except in tests of mistakes
	stats    Stats
	searched bool // a search has begun
	refuted  bool // the clauses have no model, without assumptions

	names  []int32 // DIMACS number of each variable
	number []int32 // 1 + the variable of each DIMACS number, 0: it was never used

	arena []uint32 // all clauses of two and more literals, see arena.go
	extra int      // words after the literals of a clause: 2 for the id if hints are requested
	lists []list   // watches of each literal, see watch.go
	pool  []watch  // the memory of all lists

	values   []int8     // of each literal: 1 true, -1 false, 0 unassigned
	vars     []variable // of each variable
	trail    []lit      // true literals in the order of assignment; trail[:assigned] is in use
	assigned int
	head     int   // trail[:head] was propagated
	control  []int // control[i] is the length of the trail before decision i+1
	settled  int   // units in trail[:settled] were logged

	conflictLit lit // the literal of a binary conflict that the reference does not have

	analysis
	gauss
	order
	phases
	pace
	assumptions
	log
}

// New returns a solver without clauses.
func New(options Options) *Solver {
	return newTuned(options, defaultTuning)
}

// newTuned is New with intervals.
func newTuned(options Options, t tuning) *Solver {
	s := &Solver{options: options, tuning: t, arena: make([]uint32, 1, 1<<10)}
	s.levelStamp = make([]uint32, 1) // levels begin at 0
	if options.Proof != nil && options.Hints {
		s.extra = 2
	}
	s.beginPace()
	s.beginOrder()
	return s
}

// Stats returns the counts so far.
func (s *Solver) Stats() Stats { return s.stats }

// level returns the number of decisions on the trail.
func (s *Solver) level() int { return len(s.control) }

// assign makes a literal true.
func (s *Solver) assign(l lit, reason ref) {
	s.values[l], s.values[l^1] = 1, -1
	s.vars[l>>1] = variable{int32(len(s.control)), reason, uint32(s.assigned)}
	s.trail[s.assigned] = l
	s.assigned++
}

// decideLiteral makes a literal true at a new level.
func (s *Solver) decideLiteral(l lit) {
	s.control = append(s.control, s.assigned)
	s.assign(l, none)
}

// backtrack undoes all levels above the given one, and saves the phases.
func (s *Solver) backtrack(level int) {
	if level >= s.level() {
		return
	}
	start := s.control[level]
	for i := s.assigned - 1; i >= start; i-- {
		l := s.trail[i]
		s.values[l], s.values[l^1] = 0, 0
		if !s.probing {
			s.saved[l>>1] = int8(1 - 2*int32(l&1))
		}
		if s.place[l>>1] < 0 {
			s.pushHeap(l >> 1)
		}
	}
	if s.entered > start {
		s.leaveTrail(start)
	}
	s.assigned, s.head = start, min(s.head, start)
	s.control = s.control[:level]
}
