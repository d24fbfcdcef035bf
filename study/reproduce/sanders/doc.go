// Package sanders measures the claims of two papers of Sanders: "Randomized Static Load Balancing
// for Tree-Shaped Computations" in the files static_*.go (docs/sanders.md), and "Better Algorithms
// for Parallel Backtracking" in the files shuffle*.go (docs/poll-and-shuffle.md). The papers print
// no numbers to compare with: measured values are compared with the theorems.
package sanders
