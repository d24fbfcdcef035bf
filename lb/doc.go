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
//	grr-m   the same, requests to it combined on their way     grr_combining.go
//	rp      any other rank, at random                          rp.go
//	sb      chosen by a scheduler at rank 0                    sb.go
//
// The other schemes:
//
//	sl, ml            generators hand out subtasks (Kumar et al., section 6)    generator.go
//	ra, ranade        every subtask goes to a random rank (section 6)           ra.go
//	lifeline          requests that neighbours remember (Saraswat et al. 2011)  lifeline.go
//	static            parts of the tree, dealt out at random (Sanders)          static.go
//	static+clustered  after that, random polling within clusters                static_cluster.go
//	shuffle           poll and shuffle (Sanders)                                shuffle.go
//
// What they are made of:
//
//	balancer.go             what a driver asks of a rank: Balancer, State, Reason, Stats
//	scheme.go               the registry of schemes, and the options of a rank
//	scheme_uses.go          which options have an effect under which scheme
//	receiver.go             the state diagram of receiver-initiated schemes, and Selector
//	rank.go                 what all ranks have in common: work, grants, the end of the run
//	rank_backoff.go         pauses of a requester that everybody has refused
//	rank_bound.go           the best value known, told along a tree of ranks
//	rank_credit.go          the credit of a piece, and the audit
//	rank_kept.go            ranks that begin with work of their own
//	rank_progress.go        how much of the tree a rank has closed
//	rank_remaining.go       what is left when a run has been halted
//	rank_requests.go        how long requests take
//	static_parts.go         a share of parts that wait
//	static_weights.go       what such a share weighs
//	static_permutations.go  permutations of parts and ranks, shared by the ranks of a simulation
//	static_probe.go         a look at the tree, to choose the number of parts
//	static_splits.go        the number of parts that theory asks for
//	shuffle_phases.go       how two partners meet in a phase
//	shuffle_plan.go         the phases of a cycle
//	shuffle_trigger.go      which cycles end in a shuffle
//	shuffle_permutation.go  the permutation that shares move by
//	shuffle_exact.go        a truly random permutation, drawn by all ranks together
//
// The scripts in testdata/scenarios show what ranks under a scheme send each other, step by step.
package lb
