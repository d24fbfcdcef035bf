// Package ksbf implements KS-BF, the load balancing of Gao and Rosenberg, "On Balancing
// Computational Load on Rings of Processors", and the computations for which it is designed:
// trees and grids that evolve while they are executed.
//
// A task has up to two children, a left and a right one. KS means "keep left, send right": the
// rank that executes a task keeps the left child and sends the right one to the next rank of
// the ring. BF means "breadth first": a rank executes the tasks of the lowest level first,
// from left to right. The weight of a task is the number of right turns on the path to it. A
// task of a tree runs on the rank whose number is its weight modulo the number of ranks, for
// any tree and any speeds of the ranks (lemma 1.1).
//
//	task.go, workload.go         tasks, and the interface of a computation
//	tree.go, grid.go             complete trees, pyramidal grids
//	random.go, bad.go            Galton-Watson trees; the families of section 1.3
//	quadrature.go, functions.go  adaptive trapezoids over named functions
//	sum.go                       their areas, added up exactly
//	loop.go                      a computation in one plain loop
//	queue.go, processor.go       the tasks of one rank, without a driver
//	steps.go, keepsend.go        all ranks in lockstep: the model of the paper
//	stacks.go, diffusion.go,     other schemes under the same model, for comparison
//	polling.go
//	rank.go, round.go, wire.go   one rank of a real run, which acts only through
//	                             comm.Env; its end, and its messages
//	theory.go                    the numbers of the theorems
//
// Only a list of the paper's claims and corrections was available, not its text. If this
// leaves a choice, a comment names the choice.
package ksbf
