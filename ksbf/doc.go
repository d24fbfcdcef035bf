// Package ksbf holds KS-BF, the load balancing of Gao and Rosenberg, "On Balancing
// Computational Load on Rings of Processors", and the computations that it is for:
// trees and grids that evolve while they are worked on.
//
// A task has up to two children, a left and a right one. KS, "keep left, send right":
// the rank that executes a task keeps its left child and passes the right one on to
// the next rank of the ring. BF, "breadth first": a rank executes the task of the
// lowest level first, and of those the leftmost. So a task of a tree runs on the rank
// whose number is the weight of the task, the right turns on the way to it, modulo the
// number of ranks, whatever the tree and however fast the ranks are (lemma 1.1).
//
//	task.go, workload.go         tasks, and what a computation is
//	tree.go, grid.go             complete trees, pyramidal grids
//	random.go, bad.go            Galton-Watson trees; the families of section 1.3
//	quadrature.go, functions.go  adaptive trapezoids over named functions
//	sum.go                       their areas, added up exactly
//	loop.go                      a computation in one plain loop
//	queue.go, processor.go       one rank's tasks, whoever drives it
//	steps.go, keepsend.go        all ranks in lockstep: the model of the paper
//	stacks.go, diffusion.go,     other schemes under the same model, to compare
//	polling.go                   with
//	rank.go, round.go, wire.go   one rank of a real run, which acts through comm.Env
//	                             alone; its end, and its messages
//	theory.go                    the theorems' numbers
//
// Of the paper there was a list of its claims and corrections, not its text: where
// that leaves a choice open the code says which it makes.
package ksbf
