// Package proof writes the DRAT proof of a search that many shares have made together. Every
// share keeps a Log of the nodes that it has visited and of the lemmas that it has found there.
// MergeLogs arranges the logs of all shares in the order of the tree.
//
// The lemmas follow from the shape of the tree. Let D be the literals of the first branches on
// the path to a node. When a node is known to have no model, the clause ¬D, with one literal for
// each first branch, follows by unit propagation from the formula and the lemmas below the node.
// The second branches on the path follow from the lemmas written when the first branches were
// refuted. If a procedure has shown that clause C holds at a node, the lemma is ¬D ∨ C. Leaves
// need no line of their own.
package proof

import "encoding/binary"

// Log records one share's part of a proof: the nodes that it has visited, in the order of the
// tree within one piece, and the lemmas found at each. WriteLemma, WriteLearnt, WriteDeleted,
// WriteKept, WriteAbandoned and SetClock of a nil Log do nothing; the other methods need a Log. A
// Log must not be used concurrently.
//
// A log is a sequence of records. The first byte of a record is its kind:
//
//	run     uvarint k, and k steps: the path to the parent of the next node
//	node    uvarint depth, and, unless that is 0, a step: the node at the end of it
//	lemma   uvarint n, and n literals, zigzag varints: holds at the node before
//	learnt, deleted, kept  the same for a clause that holds everywhere: a lemma, its deletion, a
//	lemma that is never deleted
//	clock   uvarint: of the learnt, deleted and kept clauses that follow; 0 before the first clock
//	abandoned  the node before and its lemmas are void: another share has it too
//
// A step is uvarint 2·z + b, for the zigzag z of the DIMACS literal made true and b = 1 if it is
// the second branch. A node whose depth is one more than the depth of the previous node is its
// child. A node at another depth is the second branch there. The root begins a run without a run
// record.
type Log struct {
	sink func(block []byte)
	buf  []byte // grows when needed, because most of many shares visit few nodes

	clock, written uint64 // of the next learnt clause, and of the last clock record
}

// The kinds of records.
const (
	recordRun   = 1
	recordNode  = 2
	recordLemma = 3

	recordAbandoned = 8 // and recordLearnt, recordDeleted of an AttemptLog
	recordKept      = 9
	recordClock     = 10
)

// BlockSize is the approximate number of bytes that a Log passes to its sink at a time.
const BlockSize = 1 << 16

// NewLog returns a log that passes its records to sink, in blocks of complete records of about
// BlockSize bytes. The sink must not keep the slice.
func NewLog(sink func(block []byte)) *Log {
	return &Log{sink: sink}
}

// WriteRunStart records that the next node does not follow the previous node in the tree of the
// same piece. k steps, given by WriteStep in order, lead to its parent.
func (l *Log) WriteRunStart(k int) {
	l.flushFull()
	l.buf = binary.AppendUvarint(append(l.buf, recordRun), uint64(k))
}

// WriteStep records a step of the path that WriteRunStart has begun: a DIMACS literal that was
// made true, on the second branch or the first.
func (l *Log) WriteStep(literal int32, second bool) { l.appendStep(literal, second) }

func (l *Log) appendStep(literal int32, second bool) {
	z := uint64(encodeZigzag(literal)) << 1
	if second {
		z |= 1
	}
	l.buf = binary.AppendUvarint(l.buf, z)
}

// WriteRoot records that the root was visited.
func (l *Log) WriteRoot() {
	l.flushFull()
	l.buf = append(l.buf, recordNode, 0)
}

// WriteNode records that the node at the end of a step was visited, at a depth of at least 1.
func (l *Log) WriteNode(depth int, literal int32, second bool) {
	l.flushFull()
	l.buf = binary.AppendUvarint(append(l.buf, recordNode), uint64(depth))
	l.appendStep(literal, second)
}

// WriteLemma records that the clause of DIMACS literals holds at the last visited node. It
// follows by unit propagation from the formula, the lemmas before, and the path. The first
// branches of the path become part of the written line.
func (l *Log) WriteLemma(clause ...int32) {
	l.appendClause(recordLemma, clause)
}

// WriteLearnt records a clause that follows by unit propagation from the formula, the lemmas before
// and the path, and holds without the path. It is valid until WriteDeleted.
func (l *Log) WriteLearnt(clause []int32) {
	if l != nil {
		l.flushFull()
	}
	l.appendClause(recordLearnt, clause)
}

// WriteDeleted records that a clause of WriteLearnt is no longer needed.
func (l *Log) WriteDeleted(clause []int32) { l.appendClause(recordDeleted, clause) }

// WriteKept is WriteLearnt for a clause that is never deleted.
func (l *Log) WriteKept(clause []int32) { l.appendClause(recordKept, clause) }

// SetClock sets the clock of the learnt, deleted and kept clauses from now on. It must not be less than
// before, and begins at 0. A clause may follow from clauses of other logs with lower clocks, if
// MergeLearntFirst merges the logs.
func (l *Log) SetClock(clock uint64) {
	if l != nil {
		l.clock = clock
	}
}

// writeClock records the clock, if it has changed.
func (l *Log) writeClock() {
	if l.clock != l.written {
		l.buf = binary.AppendUvarint(append(l.buf, recordClock), l.clock)
		l.written = l.clock
	}
}

// appendClause appends a record with a clause.
func (l *Log) appendClause(kind byte, clause []int32) {
	if l == nil {
		return
	}
	if kind != recordLemma {
		l.writeClock()
	}
	l.buf = binary.AppendUvarint(append(l.buf, kind), uint64(len(clause)))
	for _, x := range clause {
		l.buf = binary.AppendUvarint(l.buf, uint64(encodeZigzag(x)))
	}
}

// WriteAbandoned records that the last node is void, with its lemmas. The share that takes the node
// over writes it again. A run must follow.
func (l *Log) WriteAbandoned() {
	if l != nil {
		l.buf = append(l.buf, recordAbandoned)
	}
}

// flushFull passes a full block to the sink, between records that can be apart.
func (l *Log) flushFull() {
	if len(l.buf) >= BlockSize {
		l.Flush()
	}
}

// Flush passes the remaining bytes to the sink.
func (l *Log) Flush() {
	if len(l.buf) > 0 {
		l.sink(l.buf)
		l.buf = l.buf[:0]
	}
}

// encodeZigzag maps 0, −1, 1, −2, … to 0, 1, 2, 3, …
func encodeZigzag(x int32) uint32 { return uint32(x<<1) ^ uint32(x>>31) }

// decodeZigzag is the inverse of encodeZigzag.
func decodeZigzag(z uint32) int32 { return int32(z>>1) ^ -int32(z&1) }
