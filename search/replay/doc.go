// Package replay keeps the shape of a search tree in memory and searches it again. A workload
// records its tree once, which may take a microsecond per node. The recorded tree is then
// searched any number of times at a few nanoseconds per node. A Share splits, keeps and
// expands exactly the nodes that the workload's own share would, so that a simulation of
// either is the same, event by event. Only the bytes of a piece differ, so a simulated machine
// must be given the lengths of the workload's pieces.
//
// The nodes of a timed tree (RecordTimedTree) take different times. Its shares never repeat nodes: a share of
// rule cubes that moves in the middle of an anchor does.
//
// A Tree does not change after it is recorded. The shares of any number of concurrent runs can
// use the same Tree.
package replay
