// Package sim runs all ranks of a protocol on a simulated machine, in virtual
// time: a discrete-event simulation that drives the very lb.Balancers that the
// real worlds drive, through the same comm.Env. It is single-threaded, counts in
// integer nanoseconds and draws from the run's seed alone, so a run is equal bit
// for bit on every machine. One simulation is not made parallel; callers run many
// side by side.
//
// The costs of a machine (Machine). As in LogP (D. Culler et al., LogP: Towards a Realistic
// Model of Parallel Computation, 1993), sending, the way and receiving are separate costs:
//
//   - A rank does one thing at a time and has a clock of its own, which is ahead of
//     the simulation while it is occupied.
//   - A Busy rank expands Quantum nodes, Expand each, then polls, Poll, then
//     answers up to Serve of the messages that have arrived, and begins again. An
//     Expand is charged at the moment it ends: a message sent after three nodes
//     leaves after three nodes.
//   - Send occupies the sender for Startup. The message then takes
//     PerWord · (HeaderWords + words of the body) + PerHop · Distance to arrive
//     (cut-through). Messages between two ranks keep their order; one that would
//     overtake arrives together with the one before it.
//   - On a bus the message first waits until the bus is free and holds it for all
//     of its way.
//   - A rank that is not Busy handles messages in order of arrival, one at a time;
//     each occupies it for Receive before Deliver, on Busy ranks too.
//   - A message to the own rank costs no Startup and no way, but Receive like any
//     other. Wake costs nothing; on a Busy rank an alarm rings at the next poll.
//   - Deciding, splitting and accepting cost nothing of their own: they are part of
//     Receive. On a machine that was measured a piece costs its sender Split and its
//     receiver Accept besides, and a node NodeCostPicos.
//
// T_1, which speedups are measured by, is W · Expand: a sequential program does
// not poll. Where U_calc of a rank alone is another one, it is that which counts.
package sim
