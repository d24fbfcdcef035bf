package mpi

import (
	"os"
	"strconv"
)

// LaunchedRank returns this process's rank, which it reads from the launcher's environment
// variables, or 0 if there is no launcher. It needs no MPI: it serves messages to the user before
// MPI has started, or if MPI cannot start.
func LaunchedRank() int { return launchedRankIn(os.Getenv) }

// launchedRankIn is LaunchedRank with the environment of a test.
func launchedRankIn(getenv func(string) string) int {
	if _, launched := launchedIn(getenv); !launched {
		return 0
	}
	for _, name := range []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"} {
		if n, err := strconv.Atoi(getenv(name)); err == nil {
			return n
		}
	}
	return 0
}
