package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/ksbf"
	"treesplit/run/workloads"
)

// ringFlags are the flags of all verbs of ring.
type ringFlags struct {
	searchFlags
	steps   bool
	compare bool
	scheme  string
}

// ringJob is a computation to be executed.
type ringJob struct {
	job
	name        string
	computation ksbf.Workload
	scheme      string // of a simulation in steps
	steps       bool   // it is simulated in steps
	compare     bool   // under every scheme
}

// computation is a verb of ring.
type computation struct {
	name, short, long, example string
	// flags defines the parameters and returns what makes a workload of them; seed is
	// that of the run.
	flags func(flags *pflag.FlagSet, seed *uint64) func() (ksbf.Workload, error)
}

var computations = []computation{
	{
		"tree", "The complete binary tree of so many levels",
		`tree executes the complete binary tree of --levels levels. Only ranks whose number is
a weight that occurs ever work, so that the speedup is at most about √(π·levels/2)
whatever the number of ranks.`,
		`  treesplit ring tree --levels 16 -n 4
  treesplit ring tree --levels 17 -n 16 --steps --compare
  mpirun -n 3 treesplit ring tree --levels 20 --json`,
		func(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
			n := flags.Int("levels", 16, "number of levels")
			return func() (ksbf.Workload, error) { return ksbf.Complete{N: *n}, nil }
		},
	},
	{
		"grid", "The pyramidal grid of a side",
		`grid executes the pyramidal grid of all ⟨k,l⟩ with k+l < --side; a task inside has
two parents and waits for both.`,
		`  treesplit ring grid --side 400 -n 3
  treesplit ring grid --side 400 -n 16 --steps --json`,
		func(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
			n := flags.Int("side", 300, "number of levels, and of columns")
			return func() (ksbf.Workload, error) { return ksbf.Grid{N: *n}, nil }
		},
	},
	{
		"random", "A Galton-Watson tree",
		`random executes a tree of which every task has two children with chance --binary, one
with chance --unary, left or right alike, and else none, drawn from --seed alone.`,
		`  treesplit ring random --seed 868 -n 4
  treesplit ring random --binary 0.45 --unary 0.2 --seed 3 --steps -n 16`,
		func(flags *pflag.FlagSet, seed *uint64) func() (ksbf.Workload, error) {
			var w ksbf.Random
			flags.Float64Var(&w.Binary, "binary", 0.5, "chance of two children")
			flags.Float64Var(&w.Unary, "unary", 0, "chance of one child")
			flags.IntVar(&w.Levels, "levels", ksbf.MaxLevels, "levels, below which the tree is cut off")
			return func() (ksbf.Workload, error) { w.Seed = *seed; return w, nil }
		},
	},
	{
		"bad", "Trees on which keeping left and sending right does badly",
		`bad executes a tree whose tasks have --weight right turns above them at most, so that
no more than weight + 1 ranks work. Families:

  capped    a task of fewer right turns has two children, one of that many has none
  chained   the same, but one of that many has a left child alone
  complete  the first levels have two children each, the others a left child alone`,
		`  treesplit ring bad --levels 30 --weight 3 -n 8 --steps --compare
  treesplit ring bad --family complete --levels 200 -n 2`,
		func(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
			var w ksbf.Bad
			flags.StringVar(&w.Family, "family", ksbf.BadFamilies[0], "one of "+strings.Join(ksbf.BadFamilies, ", "))
			flags.IntVar(&w.Levels, "levels", 24, "number of levels")
			flags.IntVar(&w.Weight, "weight", 4, "right turns at most; levels that are complete")
			return func() (ksbf.Workload, error) { return w, nil }
		},
	},
	{
		"quadrature", "An integral by adaptive trapezoids",
		quadratureHelp(),
		`  treesplit ring quadrature --function sqrt --to 1 -n 3
  treesplit ring quadrature --function inverse --from 1e-6 --to 1 --tolerance 1e-12 -n 2 --json
  treesplit ring quadrature --function peak --from -1 --to 1 -n 16 --steps`,
		quadratureFlags,
	},
}

func quadratureHelp() string {
	var b strings.Builder
	b.WriteString(`quadrature integrates a function by trapezoids. An interval is accepted where its
trapezoid and those of its halves differ by --tolerance at most, or where half of it is
--resolution at most; it then gives the area of its own trapezoid. The areas are added
up exactly: the result is the same on any number of ranks, to the last bit. It is
printed beside the closed form. Functions:
`)
	for _, f := range ksbf.Functions {
		fmt.Fprintf(&b, "\n  %-9s %s", f.Name, f.Formula)
	}
	return b.String()
}

func quadratureFlags(flags *pflag.FlagSet, _ *uint64) func() (ksbf.Workload, error) {
	var w ksbf.Quadrature
	name := flags.String("function", "sqrt", "one of "+strings.Join(ksbf.FunctionNames(), ", "))
	flags.Float64Var(&w.From, "from", 0, "where the interval begins")
	flags.Float64Var(&w.To, "to", 1, "where it ends")
	flags.Float64Var(&w.Tolerance, "tolerance", 1e-10, "difference at which an interval is accepted")
	flags.Float64Var(&w.Resolution, "resolution", 1e-9, "half a length at which an interval is accepted")
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
		Short: "Evolve a tree or a grid on a ring of ranks (KS-BF)",
		Long: `ring runs computations that evolve on a ring: every rank keeps the left child of a task
that it executes, passes the right one on to the next rank, and executes the task of
the lowest level first (KS-BF, Gao and Rosenberg). Ranks are goroutines or MPI processes
and talk to their neighbours alone.

--steps runs the model of the paper in place of real ranks: in a step every rank executes
one task and passes one child on. There --scheme takes other schemes on the same ring,
and --compare prints them all; messages take a step a hop, and a step counts as a second.
Schemes:
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
	for _, c := range computations {
		cmd.AddCommand(a.computationCommand(c))
	}
	return cmd
}

// ringSchemes lists the schemes of --steps.
func ringSchemes() string {
	var b strings.Builder
	for _, s := range ksbf.Schemes {
		fmt.Fprintf(&b, "\n  %-9s  %s", s.Name, s.Help)
	}
	return b.String()
}

// computationCommand returns the command of one computation.
func (a *app) computationCommand(c computation) *cobra.Command {
	f := ringFlags{searchFlags: newSearchFlags()}
	f.plan.Topology = "ring" // KS-BF makes no use of it, nor of a scheme and a detector
	cmd := &cobra.Command{
		Use: c.name, Short: c.short, Long: c.long, Example: c.example,
		Args: exactArguments(0, "flags alone"),
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
	f.addRanksFlag(cmd)
	flags.BoolVar(&f.steps, "steps", false, "simulate ranks in lockstep")
	flags.StringVar(&f.scheme, "scheme", ksbf.Schemes[0].Name, "`scheme`, with --steps: "+strings.Join(ksbf.SchemeNames(), ", "))
	flags.BoolVar(&f.compare, "compare", false, "simulate every scheme in steps and print one table")
	flags.Uint64Var(&f.plan.Seed, "seed", f.plan.Seed, "seed of random trees, and of the donors of scheme rp")
	f.addRunFlags(cmd)
	return cmd
}

// parse makes the job of the flags and a computation.
func (f *ringFlags) parse(name string, w ksbf.Workload) (ringJob, error) {
	j := ringJob{name: name, computation: w, scheme: f.scheme, steps: f.steps || f.compare, compare: f.compare}
	if !j.steps && f.scheme != ksbf.Schemes[0].Name {
		return j, flagError("scheme", fmt.Errorf("%q is simulated in steps alone: add --steps, or expected %s", f.scheme, ksbf.Schemes[0].Name))
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

// checkIntegral refuses an integral that floating point numbers do not hold.
func checkIntegral(w ksbf.Quadrature, integral float64) error {
	for _, v := range []float64{integral, w.ExactIntegral()} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the integral of %s from %v to %v, or a part of it, is beyond floating point numbers", w.Function.Formula, w.From, w.To)
		}
	}
	return nil
}
