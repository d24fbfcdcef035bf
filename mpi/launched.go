package mpi

import (
	"os"
	"strconv"
)

// Launched reports whether an MPI launcher (mpirun, mpiexec, srun) has started this process, and
// returns the number of ranks that it has started. It reads the environment variables that
// launchers set: Open MPI's variables; PMI's, which MPICH, Intel MPI, MVAPICH and Slurm's pmi2 set;
// and PMIx's together with Slurm's, because PMIx's variables do not hold the number of ranks. It
// needs no MPI.
func Launched() (size int, launched bool) { return launchedIn(os.Getenv) }

// launchedIn is Launched with the environment of a test.
func launchedIn(getenv func(string) string) (size int, launched bool) {
	number := func(name string) (int, bool) {
		n, err := strconv.Atoi(getenv(name))
		return n, err == nil && n > 0
	}
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"} {
		if n, ok := number(name); ok {
			return n, true
		}
	}
	// A batch script has a SLURM_PROCID and a SLURM_NTASKS too, but is a single process. Only a
	// step of srun has the number of the step's tasks.
	if n, ok := number("SLURM_STEP_NUM_TASKS"); ok && getenv("SLURM_PROCID") != "" {
		return n, true
	}
	if getenv("PMIX_RANK") == "" {
		return 0, false
	}
	if n, ok := number("SLURM_NTASKS"); ok {
		return n, true
	}
	return 1, true
}
