// Package uts is Unbalanced Tree Search, the benchmark of Olivier, Huan, Liu,
// Prins, Dinan, Sadayappan and Tseng (LCPC 2006, "UTS: An Unbalanced Tree Search
// Benchmark"): a tree that is made up on the fly by a cryptographic hash, so that
// nobody knows the size of a subtree before having walked it.
//
// A node is a 20-byte state, kept as the five words of a SHA-1 digest, and a
// height; its i-th child's state is the SHA-1 of its own state followed by i. How
// many children it has follows from its height and from the last word of its
// state (children.go in floating point, as the benchmark defines it; thresholds.go
// in integers, as it is computed). The trees are those of the reference program
// UTS 2.1 in its SHA-1 build, node by node.
//
// Tree is a search.Work: it holds no goroutine, clock or randomness of its own.
package uts
