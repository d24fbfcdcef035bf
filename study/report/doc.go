// Package report makes tables and figures of what sweeps have measured, as Kumar, Grama and
// Rao print them for the nCUBE/2: schemes by numbers of ranks, where the average speedup
// of several instances is their cumulative sequential over their cumulative parallel
// time (section 8); besides efficiencies, the isoefficiency fitted to them, and how far
// repeats of a run were apart.
package report
