package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/ksbf"
	"treesplit/run/workloads"
)

// ringFlags are the flags of all commands below ring.
type ringFlags struct {
	searchFlags
	steps   bool
	compare bool
	scheme  string
}

// ringJob is a computation on a ring.
type ringJob struct {
	job
	name        string
	computation ksbf.Workload
	scheme      string // of a simulation in steps
	steps       bool   // the computation is simulated in steps
	compare     bool   // under every scheme
}

// computation is a command below ring.
type computation struct {
	name, short, long, example string
	// flags defines the parameters and returns a function that makes a workload of them; seed is
	// the seed of the run.
	flags func(flags *pflag.FlagSet, seed *uint64) func() (ksbf.Workload, error)
}

var computations = []computation{
	{
		"tree", "Execute the complete binary tree of a number of levels",
		`tree executes the complete binary tree of --levels levels. A rank works only if its number is the
weight of a task, so the speedup is at most about √(π·levels/2) on any number of ranks.`,
		`  treesplit ring tree --levels 16 -n 4
  treesplit ring tree --levels 17 -n 16 --steps --compare
  mpirun -n 3 treesplit ring tree --levels 20 --json`,
		func(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
			n := flags.Int("levels", 16, "number of levels")
			return func() (ksbf.Workload, error) { return ksbf.Complete{N: *n}, nil }
		},
	},
	{
		"grid", "Execute the pyramidal grid of a side",
		`grid executes the pyramidal grid of all tasks ⟨k,l⟩ with k+l < --side. A task inside the grid has
two parents and waits for both.`,
		`  treesplit ring grid --side 400 -n 3
  treesplit ring grid --side 400 -n 16 --steps --json`,
		func(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
			n := flags.Int("side", 300, "number of levels, and of columns")
			return func() (ksbf.Workload, error) { return ksbf.Grid{N: *n}, nil }
		},
	},
	{
		"random", "Execute a Galton-Watson tree",
		`random executes a random tree. A task has two children with probability --binary, one child with
probability --unary (left or right with equal probability), and else no child. The tree depends on
--seed only.`,
		`  treesplit ring random --seed 868 -n 4
  treesplit ring random --binary 0.45 --unary 0.2 --seed 3 --steps -n 16`,
		func(flags *pflag.FlagSet, seed *uint64) func() (ksbf.Workload, error) {
			var w ksbf.Random
			flags.Float64Var(&w.Binary, "binary", 0.5, "probability of two children")
			flags.Float64Var(&w.Unary, "unary", 0, "probability of one child")
			flags.IntVar(&w.Levels, "levels", ksbf.MaxLevels, "number of levels; tasks below them are left out")
			return func() (ksbf.Workload, error) { w.Seed = *seed; return w, nil }
		},
	},
	{
		"bad", "Execute a tree on which KS-BF has little speedup",
		`bad executes a tree whose tasks have at most --weight right turns above them. No more than weight + 1
ranks work.

Families (--family):

  capped	tasks with fewer right turns have two children, tasks with --weight right turns have none
  chained	as capped, but tasks with --weight right turns have a left child
  complete	the tasks of the first levels have two children, all others a left child`,
		`  treesplit ring bad --levels 30 --weight 3 -n 8 --steps --compare
  treesplit ring bad --family complete --levels 200 -n 2`,
		func(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
			var w ksbf.Bad
			flags.StringVar(&w.Family, "family", ksbf.BadFamilies[0], "`family` of trees: "+strings.Join(ksbf.BadFamilies, ", "))
			flags.IntVar(&w.Levels, "levels", 24, "number of levels")
			flags.IntVar(&w.Weight, "weight", 4, "largest number of right turns; complete: number of complete levels")
			return func() (ksbf.Workload, error) { return w, nil }
		},
	},
	{
		"quadrature", "Compute an integral by adaptive trapezoids",
		quadratureHelp(),
		`  treesplit ring quadrature --function sqrt --to 1 -n 3
  treesplit ring quadrature --function inverse --from 1e-6 --to 1 --tolerance 1e-12 -n 2 --json
  treesplit ring quadrature --function peak --from -1 --to 1 -n 16 --steps`,
		quadratureFlags,
	},
}

func quadratureHelp() string {
	var b strings.Builder
	b.WriteString(`quadrature integrates a function by trapezoids. It accepts an interval if the area of its trapezoid
differs by at most --tolerance from the area of the two trapezoids of its halves, or if half of the
interval is at most --resolution long. An accepted interval gives the area of its own trapezoid. The areas are added
exactly: the result is the same to the last bit on any number of ranks.

It prints the integral beside the closed form.

Functions (--function):

`)
	for _, f := range ksbf.Functions {
		fmt.Fprintf(&b, "  %s\t%s\n", f.Name, f.Formula)
	}
	return b.String()
}

func quadratureFlags(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
	var w ksbf.Quadrature
	name := flags.String("function", "sqrt", "`function` to integrate: "+strings.Join(ksbf.FunctionNames(), ", "))
	flags.Float64Var(&w.From, "from", 0, "start of the interval")
	flags.Float64Var(&w.To, "to", 1, "end of the interval")
	flags.Float64Var(&w.Tolerance, "tolerance", 1e-10, "largest difference at which an interval is accepted")
	flags.Float64Var(&w.Resolution, "resolution", 1e-9, "half the length at which an interval is accepted")
	return func() (_ ksbf.Workload, err error) {
		if w.Function, err = ksbf.FindFunction(*name); err != nil {
			return nil, flagError("function", err)
		}
		return w, nil
	}
}

func (a *app) ringCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ring COMPUTATION",
		Short: "Execute a tree or a grid on a ring of ranks (KS-BF)",
		Long: `ring executes computations that evolve on a ring. A rank keeps the left child of a task that it
executes, sends the right child to the next rank, and executes the task of the lowest level first
(KS-BF, Gao and Rosenberg). Ranks are goroutines or MPI processes, and send messages to their
neighbours only.

--steps simulates the model of the paper: in a step every rank executes one task and sends one
child. Only there --scheme chooses other schemes, and --compare prints all schemes. A message needs
one step per hop, and a step counts as one second.

Schemes (--scheme, with --steps):

` + ringSchemes(),
		Example: `  treesplit ring quadrature --function sin --to 3 -n 3
  treesplit ring tree --levels 10 -n 4 --steps`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, "computation", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddGroup(&cobra.Group{ID: "computations", Title: "Computations"})
	for _, c := range computations {
		cmd.AddCommand(a.computationCommand(c))
	}
	setExit(cmd, "the help was printed")
	return cmd
}

// ringSchemes returns the list of the schemes of --steps.
func ringSchemes() string {
	var b strings.Builder
	for _, s := range ksbf.Schemes {
		fmt.Fprintf(&b, "  %s\t%s\n", s.Name, s.Help)
	}
	return b.String()
}

// computationCommand returns the command of one computation.
func (a *app) computationCommand(c computation) *cobra.Command {
	f := ringFlags{searchFlags: newSearchFlags()}
	f.plan.Topology = "ring" // KS-BF uses neither this nor a scheme and a detector
	cmd := &cobra.Command{
		Use: c.name, GroupID: "computations", Short: c.short, Long: c.long, Example: c.example,
		Args: exactArguments(0, "flags only"),
	}
	flags := cmd.Flags()
	build := c.flags(flags, &f.plan.Seed)
	parse := func([]string) (ringJob, error) {
		w, err := build()
		if err != nil {
			return ringJob{}, err
		}
		return f.parse(c.name, w)
	}
	cmd.RunE = twoSteps(a, parse, a.runRing)
	help.SetRest(flags, help.Problem)
	flags.VisitAll(func(x *pflag.Flag) { help.SetCommon(flags, x.Name) })
	f.addRanksFlag(cmd)
	flags.BoolVar(&f.steps, "steps", false, "simulate ranks in lockstep")
	flags.StringVar(&f.scheme, "scheme", ksbf.Schemes[0].Name, "`scheme`, with --steps: "+strings.Join(ksbf.SchemeNames(), ", "))
	flags.BoolVar(&f.compare, "compare", false, "simulate every scheme in lockstep and print one table")
	flags.Uint64Var(&f.plan.Seed, "seed", f.plan.Seed, "seed of random trees, and of the donors of scheme rp")
	f.addSequentialFlag(flags)
	help.SetRest(flags, help.Ranks)
	f.addRunFlags(flags)
	help.SetCommon(flags, "steps", "scheme", "compare")
	setExit(cmd, "the computation is complete", exitStopped)
	setSearchFiles(cmd)
	return cmd
}

// parse makes the job of the flags and a computation.
func (f *ringFlags) parse(name string, w ksbf.Workload) (ringJob, error) {
	j := ringJob{name: name, computation: w, scheme: f.scheme, steps: f.steps || f.compare, compare: f.compare}
	if !j.steps && f.scheme != ksbf.Schemes[0].Name {
		return j, flagError("scheme", fmt.Errorf("%q exists only in a simulation: expected --steps with it, or %s", f.scheme, ksbf.Schemes[0].Name))
	}
	var err error
	j.job, err = f.newJob(f.plan, &workloads.KSBF{Workload: w})
	return j, err
}

// runRing runs a computation on real ranks or in steps.
func (a *app) runRing(j ringJob) (outcome, error) {
	if j.steps {
		return a.runRingSteps(j)
	}
	return a.runRingRanks(j)
}

// runRingRanks runs a computation on real ranks.
func (a *app) runRingRanks(j ringJob) (outcome, error) {
	r, o, err := a.runSearch(&j.job, follower{})
	if err != nil || r == nil {
		return o, err
	}
	tally := workloads.KSBFTally(r.Counts)
	out, err := newRingJSON(j.name, j.computation, &tally, isStoppedEarly(r.Why))
	if err != nil {
		return o, err
	}
	if j.json {
		return o, a.printJSON(ringResult{Result: r, ringJSON: out})
	}
	out.printText(a.stdout)
	fmt.Fprintln(a.stdout, summarizeRun(r))
	if isStoppedEarly(r.Why) {
		fmt.Fprint(a.stdout, stoppedLine(r, "the numbers describe the executed part"))
	}
	return o, nil
}

// checkIntegral returns an error for an integral that floating point numbers cannot represent.
func checkIntegral(w ksbf.Quadrature, integral float64) error {
	for _, v := range []float64{integral, w.ExactIntegral()} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the integral of %s from %v to %v, or a part of it, is beyond floating point numbers", w.Function.Formula, w.From, w.To)
		}
	}
	return nil
}
