// Package objects is the ring benchmark of Radhakrishnan, Brunner and Kalé, "Branch and Bound
// Based Load Balancing for Parallel Applications", section 4.3, as a program that runs. Objects
// on ranks compute for a time that is not announced and send each other messages. Their work is
// measured, they are mapped again by the measurements, they move, and the program continues,
// faster if the map is better (claim B6).
//
// Object i of n sends to objects i+1, i+3, i+6, i+9 and so on round the ring, up to i+n−1:
// "object i talks to i+1 and to every third object after it". In each iteration an object
// receives a message from each of its partners, computes its units of work, and sends a message
// to each of its partners, which wait for it before their next iteration. There is no other
// synchronisation.
//
// Rank is one rank of that program, a plain struct over comm.Env like any protocol here,
// so that it runs on goroutines, over MPI and on a simulated machine. A run is a sequence
// of stages, which rank 0 begins (Go) when all ranks have come to the end of the one
// before (Ready):
//
//	stage 0           every rank makes the objects that start there
//	stages 1, 3, 5…   a phase: the given number of iterations of every object
//	stages 2, 4, 6…   objects move (Move) to where rank 0 has mapped them
//
// An object has come to the end of a phase when it has made its iterations and has all
// messages for the next one. So no message is in flight between phases, and no detector
// is needed to know it.
//
// What an object computes depends on its messages and on nothing else: the states of all
// objects after a run, and their checksum, are those of Sequential, on any number of ranks
// and under any map. The paper does not print how long its objects compute, where they
// start, or how long messages are; here these are parameters (Benchmark).
package objects
