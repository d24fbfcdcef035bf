package proof

import "slices"

// MergeLearntFirst is MergeLogs for shares whose solvers keep their clauses from node to node, in an
// order that is not the order of the tree. It writes the learnt clauses of all shares first, in the
// order of their clocks; clauses of one share stay in the order in which they were learnt. They
// follow from the formula alone. The tree comes after them. Kept clauses remain until its leaves need
// them.
//
// Clocks are Lamport clocks. A clause may follow from clauses of its own log before it, and from kept
// clauses of other logs with lower clocks. Shares that exchange nothing have the clock 0 throughout. The
// time is proportional to the logs, plus the number of streams for each clock of each stream. The
// memory is one window per stream.
func MergeLearntFirst(out *Writer, streams []Stream) (nodes int64, err error) {
	if err := mergeLearnt(out, streams); err != nil {
		return 0, err
	}
	return mergeLogs(out, streams, true)
}

// mergeLearnt writes the learnt clauses of all streams.
func mergeLearnt(out *Writer, streams []Stream) error {
	all := make([]*learning, 0, len(streams))
	for _, s := range streams {
		all = append(all, newLearning(s))
	}
	for len(all) > 0 {
		at := 0
		for i, l := range all {
			if l.clock < all[at].clock {
				at = i
			}
		}
		l := all[at]
		l.copyClock(out)
		if l.in.err != nil {
			return l.in.err
		}
		if !l.in.hasMoreBytes() {
			all = slices.Delete(all, at, at+1)
		}
	}
	return nil
}

// learning is a stream whose learnt clauses are copied to the proof.
type learning struct {
	in    reader
	clock uint64 // of the next clauses
	line  []byte
}

// newLearning returns a stream at its begin.
func newLearning(s Stream) *learning {
	l := &learning{in: reader{buf: make([]byte, 0, runWindow)}}
	l.in.resetRange(s, 0, s.Size())
	return l
}

// copyClock copies the clauses up to the next clock.
func (l *learning) copyClock(out *Writer) {
	for l.in.hasMoreBytes() {
		switch kind := l.in.takeRecordKind(); kind {
		case recordRun:
			for range l.in.takeCount() {
				l.in.takePathStep()
			}
		case recordNode:
			if l.in.takeDepth() > 0 {
				l.in.takePathStep()
			}
		case recordLemma, recordLearnt, recordDeleted, recordKept:
			l.copyClause(out, kind)
		case recordClock:
			l.clock = max(l.clock, l.in.takeUvarint())
			return
		}
	}
}

// copyClause copies a clause, if it is learnt or the deletion of a learnt clause.
func (l *learning) copyClause(out *Writer, kind byte) {
	l.line = l.line[:0]
	for range l.in.takeCount() {
		l.line = out.appendLiteral(l.line, l.in.decodeLiteral(l.in.takeUvarint()))
	}
	switch kind {
	case recordLearnt, recordKept:
		out.appendLemma(nil, l.line)
	case recordDeleted:
		out.appendDeletion(nil, l.line)
	}
}
