package search

// Packer is a Work that can leave as a whole, for schemes that move a rank's share
// elsewhere without splitting it.
type Packer interface {
	Work
	// Pack appends the encoding of all that is left to dst, a piece that Accept
	// takes, and leaves the share empty. The share must not be empty; it may be the
	// whole tree with nothing expanded, and a Decider must not be Decided. Unlike a
	// piece from Split, one from Pack has no bound but the depth of the stack.
	Pack(dst []byte) (piece []byte)
}
