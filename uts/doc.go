// Package uts is Unbalanced Tree Search, the benchmark of Olivier, Huan, Liu, Prins, Dinan,
// Sadayappan and Tseng (LCPC 2006, "UTS: An Unbalanced Tree Search Benchmark"). A cryptographic
// hash generates the tree during the walk, so that the size of a subtree is unknown before the
// walk.
//
// A node is a 20-byte state, kept as the five words of a SHA-1 digest, and a height. The state of
// its i-th child is the SHA-1 of its own state followed by i. The number of its children follows
// from its height and from the last word of its state. children.go computes it in floating point,
// as the benchmark defines it; thresholds.go computes it in integers, which the walk uses. The
// trees are equal, node by node, to the trees of the reference program UTS 2.1 in its SHA-1
// build.
//
// Tree is a search.Work: it has no goroutine, clock or source of randomness.
package uts
