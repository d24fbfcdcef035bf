// Package run runs a search in any world: it brings the problem to every
// rank, drives the ranks, audits the run, and gathers answers and statistics
// into one Result on rank 0. The verbs of the command line are thin users of it.
package run
