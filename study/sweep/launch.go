package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// LocalLauncher stands for no launcher: the sweep starts the program directly.
const LocalLauncher = "local"

// The kinds of launchers.
const (
	kindMpirun = "mpirun"
	kindSrun   = "srun"
)

// Launch describes how runs are started.
type Launch struct {
	Binary   string // the program
	Launcher string // of world mpi: local (none), srun, mpirun, or another program whose name begins so (mpirun.mpich, /opt/bin/mpiexec)
	Args     []string
}

// launcherKind returns the kind of a launcher, from its name, or an error.
func launcherKind(launcher string) (string, error) {
	base := filepath.Base(launcher)
	switch {
	case launcher == LocalLauncher:
		return LocalLauncher, nil
	case strings.HasPrefix(base, "mpirun"), strings.HasPrefix(base, "mpiexec"):
		return kindMpirun, nil
	case base == "srun":
		return kindSrun, nil
	}
	return "", fmt.Errorf("launcher %q: expected local, mpirun, srun, or a program whose name begins with mpirun or mpiexec", launcher)
}

// usesLauncher reports whether a launcher starts the ranks.
func (l Launch) usesLauncher(r Run) bool { return r.World == WorldMPI }

// CommandFor returns the command line of a run, with more flags.
func (l Launch) CommandFor(r Run, more ...string) []string {
	args, worker := cutCommand(r.effective())
	program := append([]string{l.Binary, r.Verb}, args...)
	if l.usesLauncher(r) {
		prefix := []string{l.Launcher, "-n", strconv.Itoa(r.Ranks)}
		kind, _ := launcherKind(l.Launcher)
		if kind == kindSrun && !slices.ContainsFunc(l.Args, func(a string) bool { return strings.HasPrefix(a, "--mpi") }) {
			prefix = append(prefix, "--mpi=pmi2") // MPICH uses pmi2; Open MPI needs pmix
		}
		program = slices.Concat(prefix, l.Args, program)
	} else {
		program = append(program, "-n", strconv.Itoa(r.Ranks))
	}
	if r.World != WorldLocal && r.World != WorldMPI {
		program = append(program, "--machine", r.World)
	}
	if r.Scheme != "" {
		program = append(program, "--scheme", r.Scheme)
	}
	if r.Detector != "" {
		program = append(program, "--termination", r.Detector)
	}
	program = append(program, "--seed", strconv.FormatUint(r.Seed, 10), "--json", "--progress", "off")
	return slices.Concat(program, more, worker)
}
