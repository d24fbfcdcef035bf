// Package lb implements the load-balancing schemes, one per file. Each scheme is an
// event-driven state machine that acts only through comm.Env. So it runs unchanged on
// goroutines, over MPI and in a simulation.
//
// A rank without work is a requester; the rank that it asks for work is a donor. These are the
// papers' terms; Cilk calls them thief and victim. The receiver-initiated schemes of Kumar,
// Grama and Rao, "Scalable Load Balancing Techniques for Parallel Computers", section 4,
// differ only in the choice of the donor. They share the struct Receiver, which is the paper's
// figure 1, and each has its own Selector.
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
//	static+clustered  then random polling within clusters                       static_cluster.go
//	shuffle           poll and shuffle (Sanders)                                shuffle.go
//
// The other files:
//
//	balancer.go             the interface between a driver and a rank: Balancer, State, Reason, Stats
//	scheme.go               the registry of schemes, and the options of a rank
//	scheme_uses.go          which options have an effect under which scheme
//	receiver.go             the state diagram of receiver-initiated schemes, and Selector
//	rank.go                 the common part of all ranks: work, grants, the end of the run
//	rank_backoff.go         pauses of a requester that all ranks have refused
//	rank_bound.go           the best known value, sent along a tree of ranks
//	rank_credit.go          the credit of a piece, and the audit
//	rank_kept.go            ranks that begin with work of their own
//	rank_lessons.go         what shares have learnt, sent along a tree of ranks
//	rank_progress.go        the fraction of the tree that a rank has closed
//	rank_remaining.go       the remaining pieces of a halted run
//	rank_requests.go        the durations of requests
//	rank_steady.go          for how long a rank only expands nodes
//	static_parts.go         a share that consists of waiting parts
//	static_weights.go       the weight of a share of parts
//	static_permutations.go  permutations of parts and ranks, shared by the ranks of a simulation
//	static_sample.go        samples the tree to choose the number of parts
//	static_splits.go        the number of parts that theory requires
//	shuffle_phases.go       how two partners meet in a phase
//	shuffle_plan.go         the phases of a cycle
//	shuffle_trigger.go      which cycles end in a shuffle
//	shuffle_permutation.go  the permutation by which shares move
//	shuffle_exact.go        a truly random permutation, drawn by all ranks together
//
// The scripts in testdata/scenarios show the messages between the ranks of a scheme step by
// step. The examples drive a scheme by hand, and on goroutines.
package lb
