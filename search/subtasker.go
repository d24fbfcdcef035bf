package search

// Subtasker is a Work that can be divided into subtasks from the root downwards, for the
// sender-initiated schemes (Kumar et al., section 6). The nodes above a given depth are
// expanded here, and every node at that depth is cut off with its subtree.
type Subtasker interface {
	Work
	// Subtask cuts off the next node of the share if its depth is at least the given one
	// (depth ≥ 1; the root's is 0), and appends its encoding, a piece, to dst. Otherwise
	// Subtask expands up to limit nodes (limit ≥ 0), all of them above the depth. It then
	// stops before the next node at that depth, so that the next call cuts it off. It also
	// stops if the share is empty or a witness was found. One call never does both, so that
	// the caller can weigh the piece (Sizer).
	Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool)
}
