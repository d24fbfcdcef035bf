package search

// Subtasker is a Work that can be taken apart into subtasks from above, for the
// sender-initiated schemes (Kumar et al., section 6): the nodes above a depth are
// expanded here, and every node met at that depth is cut off whole.
type Subtasker interface {
	Work
	// Subtask goes on through the share until it meets a node at the given depth
	// (depth ≥ 1; the root's is 0) or deeper, cuts it off and appends its encoding,
	// a piece, to dst. On the way it expands up to max nodes, all of them above the
	// depth. With !ok no such node was met: the share is empty now, a witness was
	// found, or max nodes were expanded.
	Subtask(dst []byte, depth, max int) (piece []byte, expanded int, ok bool)
}
