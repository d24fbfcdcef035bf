// Package search defines what a workload is: a search tree that can be expanded
// node by node, split in two and sent away as a piece. It knows nothing of
// ranks, messages or schemes; package lb balances whatever implements Work.
package search

// Work is one rank's share of a search: a set of open subtrees. W, the problem
// size of the papers, is the sum of the expansions over all ranks.
//
// A Work starts empty or holding the root, as its workload's constructor says.
// It must give the same tree for every order in which shares are split, sent and
// expanded; an Optimiser's is smaller the sooner a good solution is met.
type Work interface {
	// Expand expands up to limit nodes (limit ≥ 1) and returns how many it did: fewer
	// only when the share ran empty or a witness was found. It does not allocate
	// per node.
	Expand(limit int) (expanded int)
	// Empty reports whether no node is left to expand.
	Empty() bool
	// Split cuts off a part, appends its encoding to dst and forgets it. With !ok
	// the share is too small to be split, nothing was changed and piece is dst. The
	// first byte of an encoding is below 128; pieces.go lists the others.
	Split(dst []byte) (piece []byte, ok bool)
	// Accept takes over a piece that another share of the same problem has split
	// off. The share must be empty. The piece is untrusted: anything but a
	// well-formed piece is refused with an error, and the share stays empty.
	Accept(piece []byte) error
}

// Decider is a Work whose search may end before the tree is exhausted: at the
// first node that settles the question.
type Decider interface {
	Work
	// Decided reports whether this share has met such a node; Expand then does nothing
	// more. The witness itself is the workload's affair.
	Decided() bool
}

// Decided reports whether a share has met a witness, if it is a Decider.
func Decided(w Work) bool {
	d, ok := As[Decider](w)
	return ok && d.Decided()
}
