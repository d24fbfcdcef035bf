// Package replay keeps the shape of a search tree in memory and searches it
// again: a tree is walked once by its workload, which may take a microsecond a
// node, and then replayed any number of times at a few nanoseconds a node. A
// Share splits, keeps and expands exactly what the workload's own share would, so
// that a simulation over either is the same, event by event; only the bytes of a
// piece differ, so a machine must be told what a piece weighs.
//
// A Tree does not change once it is recorded: all the shares of any number of
// runs side by side can use one.
package replay
