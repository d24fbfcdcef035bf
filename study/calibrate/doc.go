// Package calibrate measures the costs of operations on the ranks on which it runs, so that the
// simulator can predict runs on more ranks. The costs are t_s and t_w; the time for which a message
// and a poll occupy a rank; U_calc of a workload on one rank and on all ranks at once; and the
// costs of pieces and of the end of a run. The parameters are those of LogP (Culler et al., "LogP:
// Towards a Realistic Model of Parallel Computation", 1993), divided as in the simulator. They are
// measured as in Culler et al., "Assessing Fast Network Interfaces" (1996): L separately from the
// overheads o_s and o_r.
//
// All measurements use comm.Transport alone, so that the tests can run them on a simulated machine,
// whose costs are known. Every figure is a median, with quartiles.
package calibrate
