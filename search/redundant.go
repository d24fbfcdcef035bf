package search

// Redundant is a Work that may expand nodes that another share counts, for example on the way to its
// part of the tree, or after a move (Settler). Expand and Subtask do not count these nodes in their
// results. But Expand counts them towards its limit. So it may return less than the limit, even 0,
// although the share is not empty.
type Redundant interface {
	Work
	// TakeRedundant returns the number of these nodes that were expanded since the last call.
	TakeRedundant() int64
}
