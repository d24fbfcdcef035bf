package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"treesplit/comm"
	"treesplit/pace"
	"treesplit/run"
	"treesplit/search"
	"treesplit/study/reproduce"
	"treesplit/study/reproduce/kumar"
	"treesplit/study/reproduce/lab"
)

// rankFlags are the flags of reproduce for real ranks instead of simulated ones.
type rankFlags struct {
	runtime, ranks         string
	schemes                string
	node                   time.Duration
	formulas, variables    int
	launcher, launcherArgs string
}

// The values of --runtime.
const (
	runtimeSimulated  = "simulated"
	runtimeGoroutines = "goroutines"
	runtimeMPI        = "mpi"
)

// addFlags defines the flags.
func (f *rankFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.runtime, "runtime", runtimeSimulated, "`runtime` of the ranks: "+runtimeSimulated+", or for table3 alone "+runtimeGoroutines+" or "+runtimeMPI)
	flags.StringVar(&f.ranks, "ranks", "8..1024", "with --runtime: `numbers` of ranks, 8,64 or 8..64 (which doubles)")
	flags.StringVar(&f.schemes, "schemes", "all", "with --runtime: `schemes` of the table, separated by commas, or all: "+strings.Join(kumar.Table3Schemes, ", "))
	flags.DurationVar(&f.node, "pace", 10*time.Millisecond, "with --runtime: `time` of a node; all other costs of the nCUBE/2 grow with it")
	flags.IntVar(&f.formulas, "formulas", len(lab.Fitted.Instances), "with --runtime: `number` of formulas, the first ones")
	flags.IntVar(&f.variables, "variables", 0, "with --runtime: `number` of variables of each formula, for smaller trees; 0: the table's")
	flags.StringVar(&f.launcher, "launcher", "mpirun", "with --runtime mpi: `program` that starts ranks: mpirun, mpirun.mpich, srun or another")
	flags.StringVar(&f.launcherArgs, "launcher-args", "", "with --runtime mpi: more `arguments` of the launcher, separated by spaces")
}

// check returns an error for values that no measurement can have.
func (f *rankFlags) check(names []string) error {
	switch {
	case f.runtime != runtimeGoroutines && f.runtime != runtimeMPI:
		return flagError("runtime", fmt.Errorf("%q: expected %s, %s or %s", f.runtime, runtimeSimulated, runtimeGoroutines, runtimeMPI))
	case len(names) != 1 || names[0] != "table3":
		return flagError("runtime", fmt.Errorf("%s is only for table3: expected reproduce table3", f.runtime))
	case f.node <= 0 || comm.Time(f.node) > pace.MaxNode:
		return flagError("pace", fmt.Errorf("%v: expected a time above 0 and up to %v", f.node, pace.MaxNode.Duration()))
	case f.variables != 0 && (f.variables < leastVariables || f.variables > mostVariables):
		return flagError("variables", fmt.Errorf("%d: expected %d to %d, or 0 for the table's", f.variables, leastVariables, mostVariables))
	case f.formulas < 1 || f.formulas > len(lab.Fitted.Instances):
		return flagError("formulas", fmt.Errorf("%d: expected 1 to %d", f.formulas, len(lab.Fitted.Instances)))
	}
	if _, err := parseRanks(f.ranks); err != nil {
		return err
	}
	if _, err := parseTableSchemes(f.schemes); err != nil || f.runtime != runtimeMPI {
		return err
	}
	return f.checkMPI()
}

// parseTableSchemes reads names of schemes of table 3, separated by commas. It returns nil for all.
func parseTableSchemes(text string) ([]string, error) {
	if text == "all" {
		return nil, nil
	}
	var all []string
	for word := range strings.SplitSeq(text, ",") {
		name := strings.ToLower(word)
		if !slices.Contains(kumar.Table3Schemes, name) {
			return nil, flagError("schemes", fmt.Errorf("%q: expected all, or some of %s", word, strings.Join(kumar.Table3Schemes, ", ")))
		}
		all = append(all, name)
	}
	return all, nil
}

// The numbers of variables of --variables. The recorded trees of larger formulas need too much memory.
const (
	leastVariables = 10
	mostVariables  = 65
)

// maxPacedRanks bounds the number of paced ranks of a run of reproduce.
const maxPacedRanks = 1 << 16

// parseRanks reads numbers of ranks: a list such as 8,64, or 8..64, which doubles from 8 to 64.
func parseRanks(text string) (all []int, err error) {
	bad := flagError("ranks", fmt.Errorf("%q: expected numbers of ranks of 1 to %d, such as 8,64 or 8..64", text, maxPacedRanks))
	first, last, isRange := strings.Cut(text, "..")
	if isRange {
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if errors.Join(err1, err2) != nil || from < 1 || to < from || to > maxPacedRanks {
			return nil, bad
		}
		for p := from; p <= to; p *= 2 {
			all = append(all, p)
		}
		return all, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		p, err := strconv.Atoi(part)
		if err != nil || p < 1 || p > maxPacedRanks {
			return nil, bad
		}
		all = append(all, p)
	}
	return all, nil
}

// runOnRanks measures an experiment on real ranks.
func (r *reproduction) runOnRanks(ctx context.Context, f *rankFlags) error {
	ranks, err := parseRanks(f.ranks)
	if err != nil {
		return err
	}
	schemes, err := parseTableSchemes(f.schemes)
	if err != nil {
		return err
	}
	e := kumar.Emulation{
		Ranks: ranks, Schemes: schemes, Node: comm.Time(f.node), Formulas: f.formulas, Variables: f.variables,
		Name: "table3-ranks", Runtime: "Goroutine ranks", Run: runPaced, Report: r.reportMeasured,
	}
	if f.runtime == runtimeMPI {
		starter, err := newMPIStarter(f)
		if err != nil {
			return err
		}
		defer starter.removeFiles()
		e.Name, e.Runtime, e.AtOnce, e.Run = "table3-mpi", "MPI ranks, started by "+f.launcher+", whose messages arrive in the time of the MPI library", mpiRanksAtOnce, starter.runPaced
	}
	s, err := reproduce.Table3OnRanks(ctx, r.lab, e)
	if err != nil {
		return err
	}
	return r.recordSection(s)
}

// reportMeasured prints a line for a run on real ranks. A table of such runs can take hours, and after an
// interruption these lines are all that the runs leave.
func (r *reproduction) reportMeasured(p kumar.PacedRun, o kumar.PacedOutcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.measured++
	fmt.Fprintf(r.app.stderr, "treesplit: %s: %.1f s, speedup %.1f, ranks waited for a core for %.1f %%\n", p, o.TP.Seconds(), o.Speedup(), 100*o.CoreWait)
}

// pacedPlan returns the plan of a run on paced goroutine ranks. Like a simulated rank, a rank with work
// polls after the machine's number of nodes, and answers the machine's number of messages at a poll.
func pacedPlan(p kumar.PacedRun) run.Plan {
	c := p.Cell
	return run.Plan{
		Ranks: c.P, Scheme: c.Scheme, Termination: c.Termination, Topology: "hypercube", Seed: c.Seed,
		Delay: c.Delay, Splitting: c.Splitting, Quantum: c.Machine.Quantum, Serve: c.Machine.Serve, Pace: p.Rate, Network: p.Network,
	}
}

// runPaced makes a run on paced goroutine ranks.
func runPaced(ctx context.Context, p kumar.PacedRun) (kumar.PacedOutcome, error) {
	tree := run.Made(func(split search.Splitting, root bool) search.Work { return p.Tree.Share(split, root) })
	r, err := run.RunOnGoroutines(pacedPlan(p), tree, run.Hooks{Interrupted: func() bool { return ctx.Err() != nil }})
	switch {
	case err != nil:
		return kumar.PacedOutcome{}, err
	case r.StoppedEarly():
		return kumar.PacedOutcome{}, context.Cause(ctx)
	}
	return pacedOutcome(r), nil
}

// pacedOutcome returns what the table shows of a result.
func pacedOutcome(r *run.Result) kumar.PacedOutcome {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return kumar.PacedOutcome{T1: seconds(r.SequentialSeconds), TP: seconds(r.Seconds), CoreWait: r.Pacing.CoreWaitShare}
}
