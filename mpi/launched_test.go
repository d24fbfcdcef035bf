package mpi

import "testing"

func TestLaunched(t *testing.T) {
	type env map[string]string
	for name, c := range map[string]struct {
		env      env
		size     int
		launched bool
	}{
		"shell":                {env{"HOME": "/root"}, 0, false},
		"Open MPI":             {env{"OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "1"}, 4, true},
		"MPICH":                {env{"PMI_SIZE": "3", "PMI_RANK": "0"}, 3, true},
		"one rank":             {env{"PMI_SIZE": "1"}, 1, true},
		"srun":                 {env{"SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "7", "SLURM_NTASKS": "16"}, 8, true},
		"srun with PMIx":       {env{"PMIX_RANK": "2", "SLURM_NTASKS": "16"}, 16, true},
		"PMIx alone":           {env{"PMIX_RANK": "0"}, 1, true},
		"Slurm's batch script": {env{"SLURM_NTASKS": "16", "SLURM_PROCID": "0"}, 0, false},
		"nonsense":             {env{"PMI_SIZE": "many"}, 0, false},
		"nonsense too":         {env{"OMPI_COMM_WORLD_SIZE": "-2"}, 0, false},
	} {
		size, launched := launchedIn(func(name string) string { return c.env[name] })
		if size != c.size || launched != c.launched {
			t.Errorf("%s: %d %v, want %d %v", name, size, launched, c.size, c.launched)
		}
	}
}
