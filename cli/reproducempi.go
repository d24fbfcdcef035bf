package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"treesplit/comm"
	"treesplit/internal/outfile"
	"treesplit/mpi"
	"treesplit/run"
	"treesplit/study/reproduce/kumar"
	"treesplit/study/reproduce/lab"
	"treesplit/study/sweep"
)

// Paced ranks under MPI. reproduce starts this program by a launcher, as sweep does, once for each
// run. The ranks search the formula itself: its tree under rule paper is the tree that goroutine ranks and
// simulated ranks search as a recording.

// mpiRanksAtOnce bounds the number of processes: they need memory, and processor time while they wait.
const mpiRanksAtOnce = 100

// checkMPI returns an error if ranks cannot be started.
func (f *rankFlags) checkMPI() error {
	if !mpi.Built {
		return flagError("runtime", errors.New("mpi: this program was built without MPI: build with CC=mpicc go build -tags mpi"))
	}
	if err := sweep.CheckLauncher(f.launcher); err != nil {
		return flagError("launcher", err)
	}
	return nil
}

// mpiStarter starts paced ranks under MPI.
type mpiStarter struct {
	launch sweep.Launch
	world  string // sweep.WorldMPI, or another world in tests
	dir    string // of the formulas

	mu    sync.Mutex
	files map[lab.Instance]string
}

// newMPIStarter returns a starter for the launcher that the flags name. The caller must call removeFiles.
func newMPIStarter(f *rankFlags) (*mpiStarter, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "treesplit-")
	launch := sweep.Launch{Binary: program, Launcher: f.launcher, Args: strings.Fields(f.launcherArgs)}
	return &mpiStarter{launch: launch, world: sweep.WorldMPI, dir: dir, files: map[lab.Instance]string{}}, err
}

// removeFiles removes the formulas.
func (s *mpiStarter) removeFiles() { os.RemoveAll(s.dir) }

// formulaFile returns the name of a file with a formula, which it writes once.
func (s *mpiStarter) formulaFile(i lab.Instance) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := s.files[i]; ok {
		return name, nil
	}
	f, err := i.MakeFormula()
	if err != nil {
		return "", err
	}
	name := filepath.Join(s.dir, fmt.Sprintf("%d.cnf", len(s.files)))
	s.files[i] = name
	return name, outfile.WriteFile(name, func(w io.Writer) error { return f.WriteDIMACS(w) })
}

// pacedArgs returns the arguments of sat for a run.
func pacedArgs(p kumar.PacedRun, formula string) []string {
	span := func(t comm.Time) string { return t.Duration().String() }
	c := p.Cell
	return []string{
		formula, "--rule", "paper", "--all", "--simplify", "off", "--quantum", strconv.Itoa(c.Machine.Quantum), "--serve", strconv.Itoa(c.Machine.Serve), "--stall", "10m", "--topology", "hypercube",
		"--split", c.Splitting.Rule.String(), "--min-split", strconv.Itoa(c.Splitting.MinOpen), "--cutoff", strconv.Itoa(c.Splitting.Cutoff), "--delay", c.Delay.String(),
		"--pace", span(p.Rate.Node), "--pace-send", span(p.Rate.Send), "--pace-receive", span(p.Rate.Receive), "--pace-poll", span(p.Rate.Poll),
	}
}

// runPaced makes a run on paced MPI ranks.
func (s *mpiStarter) runPaced(ctx context.Context, p kumar.PacedRun) (out kumar.PacedOutcome, err error) {
	formula, err := s.formulaFile(p.Cell.Instance)
	if err != nil {
		return out, err
	}
	c := p.Cell
	data, err := s.launch.RunSingle(ctx, sweep.Run{
		World: s.world, Verb: "sat", Args: pacedArgs(p, formula), Ranks: c.P, Scheme: c.Scheme, Detector: c.Termination, Seed: c.Seed,
	})
	if err != nil {
		return out, err
	}
	var r run.Result
	if err := json.Unmarshal(data, &r); err != nil {
		return out, err
	}
	if r.Expanded != p.Tree.NodeCount() || r.Ranks != c.P || r.Pacing == nil {
		return out, fmt.Errorf("%d nodes on %d ranks of MPI: expected %d on %d paced ranks", r.Expanded, r.Ranks, p.Tree.NodeCount(), c.P)
	}
	return pacedOutcome(&r), nil
}
