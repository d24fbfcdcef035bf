package mpi_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"treesplit/comm/commtest"
)

// implementations are the MPIs under which the suite runs if they are installed.
var implementations = []struct {
	name, compiler, install string
	launch                  []string
}{
	{"Open MPI", "mpicc.openmpi", "openmpi-bin and libopenmpi-dev", []string{"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"}},
	{"MPICH", "mpicc.mpich", "mpich and libmpich-dev", []string{"mpirun.mpich"}},
}

// The binding passes the conformance suite of transports under each MPI. The ranks are processes
// that the launcher of that MPI starts; see internal/conform.
func TestConformance(t *testing.T) {
	for _, mpi := range implementations {
		t.Run(mpi.name, func(t *testing.T) {
			t.Parallel() // the processes wait most of the time
			for _, tool := range []string{mpi.compiler, mpi.launch[0]} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%s is not here: install %s (Debian's names)", tool, mpi.install)
				}
			}
			program := filepath.Join(t.TempDir(), "conform")
			readSources(t)
			build := exec.Command("go", "build", "-ldflags=-w", "-tags", "mpi", "-o", program, "./internal/conform")
			build.Env = append(build.Environ(), "CC="+mpi.compiler, "CGO_ENABLED=1")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for ranks := 1; ranks <= 4; ranks++ {
				t.Run(strconv.Itoa(ranks), func(t *testing.T) { conform(t, mpi.launch, ranks, mpi.name, program) })
			}
			for _, misuse := range []string{"long", "negative"} {
				t.Run(misuse, func(t *testing.T) { conform(t, mpi.launch, 1, mpi.name, program, misuse) })
			}
		})
	}
}

// readSources reads the files that the build below compiles, because go test caches a result as
// long as the files that the test itself has opened are unchanged.
func readSources(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"*.go", "*.c", "*.h", "internal/conform/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no sources %s: %v", pattern, err)
		}
		for _, name := range names {
			if _, err := os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// conform runs the program on a number of ranks. It expects status 0 and the name of the MPI that
// the program was built with. mode holds further arguments.
func conform(t *testing.T, launch []string, ranks int, library, program string, mode ...string) {
	// The limit only ends a suite that hangs.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	// Three ranks exchange a million messages, other numbers of ranks fewer.
	messages := commtest.Messages(testing.Short() || ranks != 3)
	args := slices.Concat(launch[1:], []string{"-n", strconv.Itoa(ranks), program, strconv.Itoa(messages)}, mode)
	run := exec.CommandContext(ctx, launch[0], args...)
	// Launches that share a directory for session files remove each other's directory.
	run.Env = append(run.Environ(), "OMPI_MCA_orte_tmpdir_base="+t.TempDir())
	run.WaitDelay = time.Second
	in, open, err := os.Pipe() // the end of its input can end MPICH's launcher by a broken pipe
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer open.Close()
	run.Stdin = in
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if s := string(out); !strings.Contains(s, library) || !strings.Contains(s, strconv.Itoa(ranks)+" ranks") || !strings.Contains(s, ": ok") {
		t.Errorf("unexpected output: %s", s)
	}
}
