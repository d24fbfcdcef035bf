// Package run runs a search in any world: on goroutines, under MPI or on a simulated machine. It
// sends the problem to every rank, drives the ranks and audits the run. It gathers the answers
// and the statistics into one Result on rank 0. The commands of the command line only call this
// package.
package run
