// Package portfolio searches a formula by many attempts at the same time. An attempt is a
// clause-learning solver of the whole formula, with a seed of its own, from which it draws its order of the
// variables or their phases. The first attempt that ends decides the formula. Such a
// search is not a tree, but it has the form of one for the schemes: the root is the list of all
// attempts, a share holds one attempt and a part of the list, and a donor gives away part of its
// list. So every scheme, detector and runtime can distribute attempts. A scheme that moves shares must ask
// search.Settler, because an attempt begins again in another process.
//
// A node is a part of an attempt that ends at a conflict, or after nodeTicks ticks. So W is about
// the number of conflicts. It is a function of the formula on one rank. With more ranks it depends
// on which attempt ends first.
//
// Source: Y. Hamadi, S. Jabbour, L. Saïs, ManySAT: a Parallel SAT Solver, JSAT 6 (2009). Differences:
// attempts exchange no clauses if a proof is requested, so that the lemmas of one attempt are the proof; attempt 0
// takes no clauses in; the number of attempts is not fixed, and ranks may join and leave.
package portfolio

import (
	"treesplit/sat"
	"treesplit/sat/cdcl"
)

// nodeTicks bounds a node without a conflict, at about a millisecond.
const nodeTicks = 100_000

// Engine is a solver at work on one formula.
type Engine interface {
	// Search searches up to limit nodes further, limit ≥ 1, and returns their number. It is less
	// than limit only if the status is not Unknown; it is at least 1.
	Search(limit int) (nodes int, status cdcl.Status)
	// Model returns the values of variables 1 to n after Satisfiable.
	Model(n int) []bool
	// Conflicts returns the number of conflicts so far.
	Conflicts() int64
}

// Maker makes the engine of an attempt for a formula. The lemmas of the engine go to the log, if it
// is not nil; after Unsatisfiable the last one is the empty clause.
type Maker func(f *sat.Formula, attempt uint64, log cdcl.Proof) Engine

// Depot keeps engines whose attempts have left their share as pieces, so that the attempt continues
// if a share of the same process takes the piece over. A Depot may be used concurrently.
type Depot interface {
	// Leave stores the engine of a part of an attempt.
	Leave(key Key, e *Running)
	// Fetch removes and returns the engine of a part of an attempt, or nil.
	Fetch(key Key) *Running
}

// Key names a part of an attempt: a stay in one share. Parts are numbered from 0.
type Key struct{ Attempt, Part uint64 }

// Portfolio makes the shares of one formula. It does not change; all ranks of a process use it.
type Portfolio struct {
	formula *sat.Formula
	engine  Maker
	depot   Depot
}

// New returns the portfolio of a formula with engines of a kind. depot may be nil: then an attempt
// that moves to another share begins again.
func New(f *sat.Formula, engine Maker, depot Depot) *Portfolio {
	return &Portfolio{f, engine, depot}
}
