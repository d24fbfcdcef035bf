// Package lb holds the load-balancing schemes, one a file, each an event-driven
// state machine that acts only through comm.Env and so runs unchanged on
// goroutines, over MPI and in a simulation.
//
// A rank without work is a requester, the rank it asks a donor (the papers'
// words; what Cilk calls thief and victim). The receiver-initiated schemes of
// Kumar, Grama and Rao, "Scalable Load Balancing Techniques for Parallel
// Computers", section 4, differ in how a requester chooses its donor and in
// nothing else: they share the struct Receiver, which is the paper's figure 1,
// and bring a Selector each.
//
//	scheme  donor of the next request                          file
//	arr     own counter, asynchronous round robin              arr.go
//	nn      the neighbours in turn                             nn.go
//	grr     one counter for all, at rank 0                     grr.go
//	grr-m   the same, requests to it combined on their way     combining.go
//	rp      any other rank, at random                          rp.go
//	sb      chosen by a scheduler at rank 0                    sb.go
//
// The sender-initiated schemes of section 6 are sl and ml (generator.go) and ra
// with Ranade's variant (ra.go); they need a search.Subtasker. lifeline
// (lifeline.go) is a scheme of 2011 that stands beside the classics.
//
// Where the work is a search.Optimiser all schemes share the best value known in the same
// way (bound.go).
//
// The scripts in testdata/scenarios show what ranks under a scheme send each other, step by step.
//
// Of Sanders there are static (static.go, over shares of dealt parts, deal.go),
// which any scheme that splits work may follow, static+clustered (cluster.go), and
// shuffle, poll-and-shuffle (shuffle.go).
package lb
