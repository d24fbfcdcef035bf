// Package comm is the vocabulary of all packages of treesplit: messages, moments of time, and
// the two ports between a protocol and its runtime.
//
// A protocol (a scheme of package lb, a detector of package termination) is a plain struct. It
// acts on its surroundings only through an Env. A runtime (packages mpi and local) offers each
// rank an Endpoint, and package spmd connects the two. comm imports nothing of treesplit. It
// has no clock, no goroutine and no randomness of its own.
package comm
