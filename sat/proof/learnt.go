package proof

// MergeLearntFirst is MergeLogs for shares whose solvers keep their clauses from node to node, in an
// order that is not the order of the tree. It writes the learnt clauses of each share first, one
// share after the other, in the order in which they were learnt. They follow from the formula alone.
// The tree comes after them. Kept clauses remain until its leaves need them.
func MergeLearntFirst(out *Writer, streams []Stream) (nodes int64, err error) {
	in := reader{buf: make([]byte, 0, window)}
	for _, s := range streams {
		in.resetRange(s, 0, s.Size())
		copyLearnt(out, &in)
		if in.err != nil {
			return 0, in.err
		}
	}
	return mergeLogs(out, streams, true)
}

// copyLearnt writes the learnt clauses of a stream and their deletions.
func copyLearnt(out *Writer, in *reader) {
	var line []byte
	for in.hasMoreBytes() {
		kind := in.takeRecordKind()
		switch kind {
		case recordRun:
			for range in.takeCount() {
				in.takePathStep()
			}
		case recordNode:
			if in.takeDepth() > 0 {
				in.takePathStep()
			}
		case recordLemma, recordLearnt, recordDeleted, recordKept:
			line = line[:0]
			for range in.takeCount() {
				line = out.appendLiteral(line, in.decodeLiteral(in.takeUvarint()))
			}
			switch kind {
			case recordLearnt, recordKept:
				out.appendLemma(nil, line)
			case recordDeleted:
				out.appendDeletion(nil, line)
			}
		}
	}
}
