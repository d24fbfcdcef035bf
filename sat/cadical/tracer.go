//go:build cadical && cgo

package cadical

import (
	"encoding/binary"

	"treesplit/internal/splitmix"
	"treesplit/sat/cdcl"
)

// The lines of a proof in binary DRAT, as the library writes them, become calls of a cdcl.Proof. The
// library also deletes clauses of the caller. A cdcl.Proof has no deletions of these, because the
// lemmas of several solvers may be joined. So the tracer counts the lemmas by a hash, and passes on
// only deletions of lemmas.

// tracer passes lemmas and deletions.
type tracer struct {
	to      cdcl.Proof
	nextID  uint64 // the last id given
	lemmas  map[uint64]int32
	clause  []int32
	refuted bool // the empty clause was passed
}

func newTracer(to cdcl.Proof) *tracer {
	return &tracer{to: to, lemmas: map[uint64]int32{}}
}

// passLines passes whole lines. It panics on an invalid line, which is an error of the library.
func (t *tracer) passLines(lines []byte) {
	for len(lines) > 0 {
		kind := lines[0]
		lines = t.readClause(lines[1:])
		switch kind {
		case 'a':
			t.passLemma(t.clause)
		case 'd':
			t.passDeletion(t.clause)
		default:
			panic("cadical: invalid line of a proof")
		}
	}
}

// readClause reads the literals of a line, 2v for v and 2v+1 for −v, up to 0, and returns the rest.
func (t *tracer) readClause(lines []byte) []byte {
	t.clause = t.clause[:0]
	for {
		x, n := binary.Uvarint(lines)
		if n <= 0 {
			panic("cadical: incomplete line of a proof")
		}
		lines = lines[n:]
		if x == 0 {
			return lines
		}
		l := int32(x >> 1)
		if x&1 != 0 {
			l = -l
		}
		t.clause = append(t.clause, l)
	}
}

func (t *tracer) passLemma(clause []int32) {
	t.nextID++
	t.lemmas[hashOf(clause)]++
	t.refuted = t.refuted || len(clause) == 0
	t.to.AddLemma(t.nextID, clause, nil)
}

func (t *tracer) passDeletion(clause []int32) {
	h := hashOf(clause)
	if t.lemmas[h] == 0 {
		return
	}
	t.lemmas[h]--
	if t.lemmas[h] == 0 {
		delete(t.lemmas, h)
	}
	t.to.DeleteClause(0, clause)
}

// passRefutation passes the lemma that the failed assumptions cannot hold together, as cdcl.Solver
// does.
func (t *tracer) passRefutation(failed []int32) {
	if t.refuted {
		return
	}
	t.clause = t.clause[:0]
	for _, l := range failed {
		t.clause = append(t.clause, -l)
	}
	t.passLemma(t.clause)
}

// hashOf returns a hash that does not depend on the order of the literals.
func hashOf(clause []int32) (h uint64) {
	for _, l := range clause {
		h += splitmix.Next(uint64(uint32(l)))
	}
	return h
}
