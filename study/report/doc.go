// Package report makes tables and figures of the measurements of sweeps, as Kumar, Grama and Rao
// print them for the nCUBE/2: schemes by numbers of ranks. The average speedup of several instances
// is their cumulative sequential time divided by their cumulative parallel time (section 8). The
// report also has efficiencies, the isoefficiency fitted to them, and the range of the repeats of a
// run.
package report
