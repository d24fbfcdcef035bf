package search

// Transferring is a Work whose nodes are sent to another program for each call of Expand. The
// runtime lets a quantum last so long that the transfer is a small part of it.
type Transferring interface {
	Work
	// TransferTime returns an estimate of the time that the transfer took in the last call of
	// Expand, in nanoseconds. The estimate depends on the bytes only, because a Work has no clock.
	TransferTime() int64
}
