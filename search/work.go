// Package search defines workloads: search trees that can be expanded node by node, split in
// two and sent away in pieces. It knows nothing of ranks, messages or schemes. Package lb
// balances any implementation of Work.
//
// The first steps: package search/stack makes a Work from a description of a problem's nodes.
// The examples of this package expand this Work, split it, and search both parts.
package search

// Work is one rank's share of a search: its part of the tree, a set of open subtrees. W, the
// problem size of the papers, is the total number of expansions on all ranks.
//
// A new Work is empty or holds the root; the constructor of the workload decides. The tree
// must not depend on the order in which shares are split, sent and expanded. The tree of an
// Optimiser is an exception: it is smaller the sooner a good solution is found.
type Work interface {
	// Expand expands up to limit nodes (limit ≥ 1) and returns the number of expanded nodes.
	// This number is less than limit only if the share became empty, a witness was found, or the
	// share is a Redundant.
	// Expand does not allocate per node.
	Expand(limit int) (expanded int)
	// Empty reports whether no node is left to expand.
	Empty() bool
	// Split cuts off a part of the share, appends its encoding to dst and removes it from the
	// share. If the share is too small to be split, Split returns dst and !ok and changes
	// nothing. The first byte of an encoding is below 128; pieces.go lists the reserved ones.
	Split(dst []byte) (piece []byte, ok bool)
	// Accept takes over a piece that another share of the same problem has split off. The
	// share must be empty. The piece is untrusted: Accept returns an error for any invalid
	// piece, and the share stays empty.
	Accept(piece []byte) error
}

// Decider is a Work whose search may end before the tree is exhausted, at the first node that
// answers the question: a witness or, in searches that are no search of a tree, the fact that
// there is none.
type Decider interface {
	Work
	// Decided reports whether this share has answered the question; Expand then expands no more
	// nodes. Only the workload knows the answer itself.
	Decided() bool
}

// Decided reports whether a share is a Decider that has answered the question.
func Decided(w Work) bool {
	d, ok := As[Decider](w)
	return ok && d.Decided()
}
