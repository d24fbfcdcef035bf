//go:build cadical && cgo

package cadical

// #cgo CXXFLAGS: -std=c++11 -O2
// #cgo LDFLAGS: -lcadical -lstdc++
// #include "shim.h"
import "C"

import (
	"math"
	"runtime"
	"slices"
	"unsafe"

	"treesplit/sat"
	"treesplit/sat/cdcl"
)

// nodeConflicts is the number of conflicts of a node of Search. Each call of the library begins
// with work of its own: a formula that takes 3.6 s in one call (schur, 4 colours, n = 45) takes 4.3 s
// in calls of 1000 conflicts, and 6.4 s in calls of 100.
const nodeConflicts = 1000

// Solver is an incremental solver. It must not be used concurrently.
type Solver struct {
	shim      *C.shim
	cleanup   runtime.Cleanup
	tracer    *tracer // nil: no proof
	variables int32   // the largest variable of a clause or an assumption
	buffer    []int32
	assumed   []int32
	failed    []int32
	model     []byte
}

// Available reports whether the program has the library.
func Available() bool { return true }

// New returns a solver without clauses. Its memory is returned by Close, or with garbage collection.
func New(o Options) (*Solver, error) {
	proof, eliminate := C.int(0), C.int(1)
	s := &Solver{}
	if o.Proof != nil {
		s.tracer = newTracer(o.Proof)
		proof = 1
		if !o.Complete {
			eliminate = 0
		}
	}
	s.shim = C.shim_new(C.int(o.Seed&math.MaxInt32), proof, eliminate)
	s.cleanup = runtime.AddCleanup(s, func(c *C.shim) { C.shim_free(c) }, s.shim)
	return s, nil
}

// Close returns the memory of the library. The solver must not be used afterwards.
func (s *Solver) Close() {
	s.cleanup.Stop()
	C.shim_free(s.shim)
	s.shim = nil
}

// AddFormula adds all clauses of a formula.
func (s *Solver) AddFormula(f *sat.Formula) {
	for _, clause := range f.Clauses() {
		s.AddClause(clause...)
	}
}

// AddClause adds a clause of DIMACS literals. It panics on a literal that is out of range.
func (s *Solver) AddClause(clause ...int32) {
	for _, l := range clause {
		s.noteVariable(l)
	}
	if s.tracer != nil {
		s.tracer.nextID++
	}
	s.buffer = append(append(s.buffer[:0], clause...), 0)
	C.shim_add(s.shim, (*C.int32_t)(unsafe.SliceData(s.buffer)), C.size_t(len(s.buffer)))
	runtime.KeepAlive(s)
}

// noteVariable keeps the largest variable.
func (s *Solver) noteVariable(l int32) {
	v := max(l, -l)
	if v <= 0 || v > sat.MaxVariables {
		panic("cadical: literal out of range")
	}
	s.variables = max(s.variables, v)
}

// Assume adds assumptions, as DIMACS literals, for the next call of Solve.
func (s *Solver) Assume(literals ...int32) {
	for _, l := range literals {
		s.noteVariable(l)
		s.assumed = append(s.assumed, l)
	}
}

// Solve searches for a model of all clauses under the assumptions. It gives up after the given
// number of conflicts, of which it may exceed a few. The assumptions are forgotten afterwards.
func (s *Solver) Solve(conflicts int64) cdcl.Status {
	for _, l := range s.assumed {
		C.shim_assume(s.shim, C.int32_t(l))
	}
	limit := C.int32_t(-1)
	if conflicts <= math.MaxInt32 {
		limit = C.int32_t(max(conflicts, 0))
	}
	status := map[C.int]cdcl.Status{10: cdcl.Satisfiable, 20: cdcl.Unsatisfiable}[C.shim_solve(s.shim, limit)]
	s.keepResult(status)
	if s.tracer != nil {
		s.passLines(status)
	}
	s.assumed = s.assumed[:0]
	runtime.KeepAlive(s)
	return status
}

// keepResult keeps the model or the failed assumptions, which the library forgets.
func (s *Solver) keepResult(status cdcl.Status) {
	s.failed, s.model = s.failed[:0], s.model[:0]
	switch status {
	case cdcl.Satisfiable:
		s.model = slices.Grow(s.model, int(s.variables))[:s.variables]
		C.shim_model(s.shim, (*C.uchar)(unsafe.SliceData(s.model)), C.int32_t(s.variables))
	case cdcl.Unsatisfiable:
		for _, l := range s.assumed {
			if C.shim_failed(s.shim, C.int32_t(l)) != 0 && !slices.Contains(s.failed, l) {
				s.failed = append(s.failed, l)
			}
		}
	}
}

// passLines passes the lines of the last call to the proof.
func (s *Solver) passLines(status cdcl.Status) {
	var n C.size_t
	data := C.shim_proof(s.shim, &n)
	s.tracer.passLines(unsafe.Slice((*byte)(data), int(n)))
	C.shim_drop(s.shim)
	if status == cdcl.Unsatisfiable {
		s.tracer.passRefutation(s.failed)
	}
}

// Search continues the search of a complete formula by up to limit ≥ 1 nodes, and returns their
// number: fewer only if the result is known. A node has 1000 conflicts.
func (s *Solver) Search(limit int) (nodes int, status cdcl.Status) {
	before := s.Conflicts()
	status = s.Solve(int64(limit) * nodeConflicts)
	if status == cdcl.Unknown {
		return limit, status
	}
	return int(max(1, min(int64(limit), (s.Conflicts()-before+nodeConflicts-1)/nodeConflicts))), status
}

// Failed returns the assumptions of the last call that the clauses refute together, if its result
// was Unsatisfiable: none if the clauses have no model at all.
func (s *Solver) Failed() []int32 { return s.failed }

// Model returns the values of variables 1 to n in the model of the last call, if its result was
// Satisfiable. Variables without a clause or an assumption can have any value.
func (s *Solver) Model(n int) []bool {
	model := make([]bool, n)
	for v := range min(n, len(s.model)) {
		model[v] = s.model[v] != 0
	}
	return model
}

// Conflicts returns the number of clauses that were learnt: one per conflict, and the units that
// were found between conflicts.
func (s *Solver) Conflicts() int64 {
	n := int64(C.shim_conflicts(s.shim))
	runtime.KeepAlive(s)
	return n
}
