// Package cadical offers the solver CaDiCaL with the methods of cdcl.Solver. It is a second engine
// for clause learning, by other authors: to compare answers, conflicts and times.
//
// Programs use CaDiCaL's library only if they are built for it, with Debian's packages g++ and
// libcadical-dev (version 1.5):
//
//	CGO_ENABLED=1 go build -tags cadical .
//
// Without the tag, New returns ErrAbsent. The library is deterministic: the same calls give the
// same results. Its conflicts depend on its version.
//
// Source: A. Biere, K. Fazekas, M. Fleury, M. Heisinger, CaDiCaL, Kissat, Paracooba, Plingeling and
// Treengeling Entering the SAT Competition 2020.
package cadical

import (
	"errors"

	"treesplit/sat/cdcl"
)

// ErrAbsent is the error of New in a program without the library.
var ErrAbsent = errors.New("this program was built without CaDiCaL: build it with -tags cadical")

// Options configure a Solver. The zero value suits most callers.
type Options struct {
	// Proof, if not nil, receives the lemmas and their deletions, without hints.
	Proof cdcl.Proof
	// Seed, if not 0, changes the order of the search.
	Seed uint64
	// Complete promises that neither clauses nor assumptions follow the first Solve. Then a solver
	// with a proof may eliminate variables. Otherwise it may not, because eliminated variables can
	// return, which such a proof does not show.
	Complete bool
}
