package search

// Packer is a Work that can be encoded as a whole, for schemes that move a rank's share to
// another rank without splitting it.
type Packer interface {
	Work
	// Pack appends the encoding of all remaining nodes to dst and leaves the share empty.
	// Accept accepts this encoding as a piece. The share must not be empty. It may be the
	// whole tree with no node expanded. A Decider must not be Decided. A piece from Split has
	// a bounded length; the length of a piece from Pack is bounded only by the depth of the
	// stack.
	Pack(dst []byte) (piece []byte)
}

// Settler is a Packer whose shares may be expensive to move, because the receiver repeats work
// or begins it again. A scheme that moves shares during a search moves a share only after it has
// settled. So a share makes progress between two moves. A share that has not settled may still be
// packed, when the search is saved.
type Settler interface {
	Packer
	// Settled reports whether the share may move. It becomes true after a number of expanded nodes,
	// or when the share is empty.
	Settled() bool
}
