// Package puzzle is the sliding-tile puzzle solved by IDA* (Korf, "Depth-first
// iterative-deepening: an optimal admissible tree search", Artificial Intelligence
// 27, 1985), the workload of the papers on receiver-initiated balancing: a sequence
// of depth-first searches with a growing bound on the length of the solution.
//
// A Problem is a Board and a Heuristic. A Search is a rank's share of one iteration and a
// search.Work. Iterations gives the bounds in turn. A solution counts only when the iteration
// with the next smaller bound is known to have none.
//
// Internally the blank belongs in the top left corner, as in Korf's instances. Boards with the
// other goal are turned by 180° on input, and paths on output.
//
// A share keeps the nodes of much slack on a stack that can be split, and searches the many nodes
// of little slack in bulk (bulk.go, pool.go).
package puzzle
