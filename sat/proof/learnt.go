package proof

// MergeLearntFirst is MergeLogs for shares whose solvers keep their clauses from node to node, in an
// order that is not the order of the tree. It writes the learnt clauses of all shares first, in the
// order of their clocks; clauses of one share stay in the order in which they were learnt. They
// follow from the formula alone. The tree comes after them. Kept clauses remain until its leaves need
// them.
//
// Clocks are Lamport clocks. A clause may follow from clauses of its own log before it, and from kept
// clauses of other logs with lower clocks. Shares that exchange nothing have the clock 0 throughout. The
// time is proportional to the logs, plus, for each clock of each stream, the logarithm of the number of
// streams and the size of a window. The memory is one window, and 24 bytes per stream.
func MergeLearntFirst(out *Writer, streams []Stream) (nodes int64, err error) {
	if err := mergeLearnt(out, streams); err != nil {
		return 0, err
	}
	return mergeLogs(out, streams, true)
}

// mergeLearnt writes the learnt clauses of all streams.
func mergeLearnt(out *Writer, streams []Stream) error {
	queue := make(clockQueue, len(streams))
	for i := range queue {
		queue[i].stream = i // in order: all clocks are 0
	}
	l, current := learning{in: reader{buf: make([]byte, 0, runWindow)}}, -1
	for len(queue) > 0 {
		first := &queue[0]
		if first.stream != current { // otherwise the window has the next bytes
			current = first.stream
			l.in.resetRange(streams[current], first.from, streams[current].Size())
		}
		first.clock = max(first.clock, l.copyClock(out))
		if l.in.err != nil {
			return l.in.err
		}
		first.from = l.in.nextOffset()
		if !l.in.hasMoreBytes() {
			*first = queue[len(queue)-1]
			queue = queue[:len(queue)-1]
		}
		queue.restoreOrder()
	}
	return nil
}

// clockQueue is a binary heap of streams by the clock of their next clauses. Streams with the same clock are in
// their order.
type clockQueue []position

// position is the place in a stream where its next clauses begin.
type position struct {
	clock  uint64
	stream int
	from   int64
}

// comesBefore reports whether the clauses at p come before the clauses at o.
func (p *position) comesBefore(o *position) bool {
	return p.clock < o.clock || p.clock == o.clock && p.stream < o.stream
}

// restoreOrder moves the first position to its place.
func (q clockQueue) restoreOrder() {
	for i := 0; 2*i+1 < len(q); {
		next := 2*i + 1
		if next+1 < len(q) && q[next+1].comesBefore(&q[next]) {
			next++
		}
		if !q[next].comesBefore(&q[i]) {
			return
		}
		q[i], q[next] = q[next], q[i]
		i = next
	}
}

// learning copies the learnt clauses of a stream to the proof.
type learning struct {
	in   reader
	line []byte
}

// copyClock copies the clauses up to the next clock, which it returns. It returns 0 at the end of the stream.
func (l *learning) copyClock(out *Writer) (clock uint64) {
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
			return l.in.takeUvarint()
		}
	}
	return 0
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
