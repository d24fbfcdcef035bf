//go:build !cadical || !cgo

package cadical

import (
	"treesplit/sat"
	"treesplit/sat/cdcl"
)

// Solver has the methods of the solver with the library. New never returns one.
type Solver struct{}

// Available reports whether the program has the library.
func Available() bool { return false }

// New returns ErrAbsent.
func New(Options) (*Solver, error) { return nil, ErrAbsent }

// AddFormula is never called.
func (*Solver) AddFormula(*sat.Formula) {}

// AddClause is never called.
func (*Solver) AddClause(...int32) {}

// Assume is never called.
func (*Solver) Assume(...int32) {}

// Solve is never called.
func (*Solver) Solve(int64) cdcl.Status { return cdcl.Unknown }

// Search is never called.
func (*Solver) Search(int) (int, cdcl.Status) { return 0, cdcl.Unknown }

// Failed is never called.
func (*Solver) Failed() []int32 { return nil }

// Model is never called.
func (*Solver) Model(int) []bool { return nil }

// Conflicts is never called.
func (*Solver) Conflicts() int64 { return 0 }

// Close is never called.
func (*Solver) Close() {}
