package proof

import "encoding/binary"

// An AttemptLog records one share's part of the proof of a portfolio. A portfolio has no tree: each
// attempt is a solver of the whole formula, and its lemmas follow from the formula and the earlier
// lemmas of the same attempt alone. An attempt may move from share to share. Its lemmas are then in
// several logs, each part under a name of its own. The name is followed by the fact whether the part
// continues the part before or begins again. Only the parts of an attempt that has refuted the formula become the
// proof (MergeAttempts).
//
// A log is a sequence of records. The first byte of a record is its kind:
//
//	part      uvarint attempt, uvarint part, and a uvarint: 0 if the attempt begins here, else 1
//	          plus the number of clauses in the parts before, from where it began
//	learnt    uvarint n, and n literals, zigzag varints
//	deleted   the same: a clause that was learnt and is no longer needed
//	refuted   uvarint n: the formula is refuted, by n clauses from where the attempt began; the
//	          last lemma of this part is the empty clause
//
// The numbers of clauses show the loss of a piece of a log.
//
// A nil AttemptLog ignores all records. It must not be used concurrently.
type AttemptLog struct {
	sink func(block []byte)
	buf  []byte
}

// The kinds of records of an AttemptLog. They differ from the kinds of a Log, so that neither merger
// accepts the other's logs.
const (
	recordPart    = 4
	recordLearnt  = 5
	recordDeleted = 6
	recordRefuted = 7
)

// NewAttemptLog returns a log that passes its records to sink, in blocks of complete records of
// about BlockSize bytes. The sink must not keep the slice.
func NewAttemptLog(sink func(block []byte)) *AttemptLog { return &AttemptLog{sink: sink} }

// BeginPart records that the following records belong to a part of an attempt. The pair of both
// numbers must be new. The attempt begins here.
func (l *AttemptLog) BeginPart(attempt, part uint64) { l.appendPart(attempt, part, 0) }

// ContinuePart is BeginPart for a part whose records follow the last record of part-1. clauses is
// the number of clauses that were recorded since the attempt began.
func (l *AttemptLog) ContinuePart(attempt, part, clauses uint64) {
	l.appendPart(attempt, part, clauses+1)
}

// appendPart appends a part record.
func (l *AttemptLog) appendPart(numbers ...uint64) {
	if l == nil {
		return
	}
	l.buf = append(l.buf, recordPart)
	for _, n := range numbers {
		l.buf = binary.AppendUvarint(l.buf, n)
	}
}

// WriteLearnt records a lemma.
func (l *AttemptLog) WriteLearnt(clause []int32) { l.appendClause(recordLearnt, clause) }

// WriteDeleted records that a lemma is no longer needed.
func (l *AttemptLog) WriteDeleted(clause []int32) { l.appendClause(recordDeleted, clause) }

// WriteRefuted records that the attempt has refuted the formula. clauses is the number of clauses
// that were recorded since the attempt began.
func (l *AttemptLog) WriteRefuted(clauses uint64) {
	if l != nil {
		l.buf = binary.AppendUvarint(append(l.buf, recordRefuted), clauses)
	}
}

// appendClause appends a record with a clause.
func (l *AttemptLog) appendClause(kind byte, clause []int32) {
	if l == nil {
		return
	}
	if len(l.buf) >= BlockSize {
		l.Flush()
	}
	l.buf = binary.AppendUvarint(append(l.buf, kind), uint64(len(clause)))
	for _, x := range clause {
		l.buf = binary.AppendUvarint(l.buf, uint64(encodeZigzag(x)))
	}
}

// Flush passes the remaining bytes to the sink.
func (l *AttemptLog) Flush() {
	if l != nil && len(l.buf) > 0 {
		l.sink(l.buf)
		l.buf = l.buf[:0]
	}
}
