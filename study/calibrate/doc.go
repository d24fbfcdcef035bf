// Package calibrate measures what things cost on the ranks it runs on, so that the
// simulator can predict runs on more of them: t_s and t_w, what a message and a poll
// occupy a rank for, U_calc of a workload on one rank and on all at once, and what pieces
// and the end of a run cost. The parameters are those of LogP (Culler et al., "LogP:
// Towards a Realistic Model of Parallel Computation", 1993), in the simulator's parts, and
// they are measured as there: L and the overheads o_s and o_r apart (Culler et al.,
// "Assessing Fast Network Interfaces", 1996).
//
// What is measured goes through comm.Transport alone, so that it can be tried on a
// simulated machine, whose costs are known. Every figure is a median, with quartiles.
package calibrate
