package search

// Redundant is a Work that may expand nodes that another share counts, for example on the way to its
// part of the tree. Expand and Subtask do not count these nodes.
type Redundant interface {
	Work
	// TakeRedundant returns the number of these nodes that were expanded since the last call.
	TakeRedundant() int64
}
