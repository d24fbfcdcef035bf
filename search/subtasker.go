package search

// Subtasker is a Work that can be taken apart into subtasks from above, for the
// sender-initiated schemes (Kumar et al., section 6): the nodes above a depth are
// expanded here, and every node met at that depth is cut off whole.
type Subtasker interface {
	Work
	// Subtask cuts off the next node of the share, if that is at the given depth
	// (depth ≥ 1; the root's is 0) or deeper, and appends its encoding, a piece, to dst.
	// Where it is not, Subtask expands up to limit nodes (limit ≥ 0), all of them above the
	// depth, and stops where the next one is there, so that the next call cuts it off, or
	// where the share is empty or a witness was found. It never does both, so that who
	// calls can weigh the piece (Sizer).
	Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool)
}
