// Package comm is the vocabulary that every other package of treesplit shares:
// messages, moments of time, and the two ports between a protocol and the
// world it runs in.
//
// A protocol (a scheme of package lb, a detector of package termination) is a
// plain struct that sees the world only through Env. A world (package mpi,
// package local) offers each rank an Endpoint, and package spmd joins the two.
// comm imports nothing of treesplit and holds no clock, no goroutine and no
// randomness of its own.
package comm
