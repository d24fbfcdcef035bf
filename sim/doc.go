// Package sim runs all ranks of a protocol on a simulated machine, in virtual time. It is a
// discrete-event simulation that drives the same lb.Balancers as the real runtimes, through the
// same comm.Env. It is single-threaded, counts in integer nanoseconds and draws only from the run's
// seed, so that a run is equal bit for bit on every machine. A single simulation is not parallel;
// callers run many simulations at the same time.
//
// The costs of a machine (Machine). As in LogP (D. Culler et al., LogP: Towards a Realistic Model
// of Parallel Computation, 1993), sending, transit and receiving are separate costs:
//
//   - A rank does one thing at a time and has its own clock, which is ahead of
//     the simulation while the rank is occupied.
//   - A Busy rank expands Quantum nodes, for Expand each. It then polls, for Poll,
//     answers up to Serve of the messages that have arrived, and begins again. An
//     Expand is charged at the moment it ends: a message sent after three nodes
//     leaves after three nodes.
//   - Send occupies the sender for Startup. The message then takes
//     PerWord · (HeaderWords + words of the body) + PerHop · Distance to arrive
//     (cut-through). Messages between two ranks keep their order: a message that
//     would overtake another arrives together with it.
//   - With Machine.Contention messages wait for the links of the network; see contention.go.
//   - On a bus the message first waits until the bus is free, and occupies the bus
//     for the whole transit.
//   - A rank that is not Busy handles messages in order of arrival, one at a time.
//     Each message occupies a rank, Busy or not, for Receive before Deliver.
//   - A message to the own rank costs Receive, and neither Startup nor transit.
//     Wake costs nothing; on a Busy rank an alarm rings at the next poll.
//   - Deciding, splitting and accepting have no costs of their own: they are part
//     of Receive. On a measured machine a piece also costs its sender Split and its
//     receiver Accept, and a node costs NodeCostPicos.
//
// T_1, the base of speedups, is W · Expand: a sequential program does not poll. If the machine has
// another U_calc for a rank alone, T_1 is computed with that.
package sim
