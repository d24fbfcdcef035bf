// Package sanders measures what two papers of Sanders claim: "Randomized Static Load Balancing for
// Tree-Shaped Computations" in the files static_*.go (docs/sanders.md), and "Better Algorithms for
// Parallel Backtracking" in the files shuffle*.go (docs/poll-and-shuffle.md). No printed numbers are
// compared: what is measured stands beside the theorems.
package sanders
