package mpi

import (
	"os"
	"strconv"
)

// LaunchedRank is this process's rank as the launcher's environment tells it, 0
// where there is no launcher. It needs no MPI: it is for what has to be said
// before MPI has started, or where it cannot.
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
