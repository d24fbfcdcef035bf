package cli

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/observe"
	"treesplit/search"
	"treesplit/spmd"
	"treesplit/topology"
)

// searchFlags are the flags of every search command. Some commands define only a part of
// them; the other flags keep their defaults.
type searchFlags struct {
	runOptions
	plan run.Plan // without the values below, which completePlan reads

	pace paceFlags

	quantum, split, splits, phase string
	events                        int // of each rank in the trace, at most

	cmd *cobra.Command
}

// newSearchFlags returns the flags at their defaults, for a number of ranks equal to the number of cores.
func newSearchFlags() searchFlags {
	return searchFlags{
		runOptions: runOptions{progress: "auto", logLevel: "warning"},
		plan: run.Plan{
			Ranks: runtime.GOMAXPROCS(0), Scheme: "rp", Termination: "ring", Topology: "hypercube", Seed: 1,
			Delay: 100 * time.Microsecond, Splitting: search.DefaultSplitting, Levels: 2,
			Trigger: lb.Triggers[0], TriggerAt: lb.DefaultTriggerAt, Permutation: lb.ShufflePermutations[0], Cluster: 1,
			Stall: time.Minute, Store: checkpoint.Files{},
		},
		quantum: "auto", split: search.DefaultSplitting.Rule.String(), splits: "auto", phase: "auto",
		events: 1 << 16,
	}
}

// addFlags defines the flags of a search command, after the flags of its problem.
func (f *searchFlags) addFlags(cmd *cobra.Command) {
	p, flags := &f.plan, cmd.Flags()
	help.SetRest(flags, help.Problem)
	f.addRanksFlag(cmd)
	flags.StringVar(&f.machine, "machine", "", machineHelp)
	flags.StringVar(&p.Scheme, "scheme", p.Scheme, "load-balancing `scheme` (treesplit help schemes)")
	flags.StringVar(&p.Termination, "termination", p.Termination, "termination `detector` (treesplit help detectors)")
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "seed of the ranks' random choices")
	f.addSequentialFlag(flags)
	help.SetRest(flags, help.Ranks)
	f.addSchemeFlags(flags)
	f.pace.addFlags(flags)
	f.addRunFlags(flags)
	f.addCheckpointFlags(flags)
	help.SetCommon(flags, "machine", "scheme", "checkpoint", "resume")
}

// addSchemeFlags defines the options of schemes.
func (f *searchFlags) addSchemeFlags(flags *pflag.FlagSet) {
	p := &f.plan
	flags.StringVar(&p.Topology, "topology", p.Topology, "`network` of nn, shuffle, static+clustered: "+strings.Join(topology.NetworkNames(), ", "))
	flags.StringVar(&f.split, "split", f.split, "`part` that a donor gives: half (every other open alternative), bottom (the one nearest the root)")
	flags.IntVar(&p.Splitting.MinOpen, "min-split", p.Splitting.MinOpen, "smallest number of open alternatives with which a donor gives work")
	flags.IntVar(&p.Splitting.Cutoff, "cutoff", p.Splitting.Cutoff, "`depth` from which nodes are not given away (0: none); sl, ml, ra: depth of subtasks (0: 8)")
	flags.DurationVar(&p.Delay, "delay", p.Delay, "grr-m: `time` for which a lone request is held, to combine it with another (δ)")
	flags.IntVar(&p.Levels, "levels", p.Levels, "ml: depth of the tree of generators")
	flags.IntVar(&p.Arity, "arity", 0, "ml: number of generators below each generator; 0: the root of P that fits --levels")
	flags.StringVar(&f.splits, "splits", f.splits, "static: deal the tree out in 2^`k` parts; auto: choose k from samples of the tree")
	flags.StringVar(&f.phase, "phase", f.phase, "shuffle: `length` of a phase: auto, a time (200us) or a number of nodes (500)")
	flags.StringVar(&p.Trigger, "trigger", p.Trigger, "shuffle: `rule` by which a cycle ends in a shuffle: "+strings.Join(lb.Triggers, ", "))
	flags.Float64Var(&p.TriggerAt, "trigger-at", p.TriggerAt, "shuffle: `fraction` of idle ranks from which cycles end in a shuffle (count, notify)")
	flags.StringVar(&p.Permutation, "permutation", p.Permutation, "shuffle: `kind` of permutation: "+strings.Join(lb.ShufflePermutations, ", "))
	flags.Float64Var(&p.Cluster, "cluster", p.Cluster, "static+clustered: exponent `alpha`; a cluster has (log P)^alpha ranks")
	help.SetRest(flags, help.Details)
	flags.Float64Var(&p.Damage, "damage", p.Damage, "damaged splitting: only this `fraction` of a split leaves the donor; 0: no damage")
	flags.BoolVar(&p.RouteThroughScheduler, "route-through-scheduler", false, "sb: send pieces through the scheduler, as first published")
	flags.BoolVar(&p.EqualTargets, "equal-targets", false, "arr: all ranks ask rank 0 first, instead of the rank after them")
	help.SetRest(flags, help.Expert)
}

// addCheckpointFlags defines the flags for saving and resuming a search.
func (f *searchFlags) addCheckpointFlags(flags *pflag.FlagSet) {
	p := &f.plan
	flags.StringVar(&p.Checkpoint, "checkpoint", "", "save the search in a `file` when it ends early, and every --checkpoint-every")
	flags.DurationVar(&p.CheckpointEvery, "checkpoint-every", 0, "`time` between two saves, also against crashes and SIGKILL; 0: save only when the search ends early")
	flags.StringVar(&p.Resume, "resume", "", "resume from a checkpoint `file`; auto: from the file of --checkpoint if it exists")
	flags.BoolVar(&p.Restart, "restart", false, "start at the beginning and overwrite the file of --checkpoint")
	help.SetRest(flags, help.Run)
}

// machineHelp describes --machine.
const machineHelp = "simulate a `machine`: a name (treesplit help machines) or a machine file"

// addSequentialFlag defines --sequential.
func (f *searchFlags) addSequentialFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&f.plan.Sequential, "sequential", false, "search on one rank first, and report the efficiency against that search")
}

// addRanksFlag defines the number of ranks.
func (f *searchFlags) addRanksFlag(cmd *cobra.Command) {
	f.cmd = cmd
	addRanksFlag(cmd, &f.plan.Ranks)
}

// addRanksFlag defines the number of ranks of a command. The default is the number of cores.
func addRanksFlag(cmd *cobra.Command, ranks *int) {
	*ranks = runtime.GOMAXPROCS(0)
	cmd.Flags().VarP(decimal{ranks}, "ranks", "n", "number of ranks; under mpirun or srun leave it out")
	cmd.Flags().SortFlags = false
}

// addRunFlags defines the flags that have nothing to do with schemes: when a run ends and what it
// prints.
func (f *searchFlags) addRunFlags(flags *pflag.FlagSet) {
	p := &f.plan
	flags.DurationVar(&p.Timeout, "timeout", 0, "`time` after which the search ends early; 0: no limit")
	flags.DurationVar(&p.Stall, "stall", p.Stall, "`time` after which a silent rank is reported, and a run without progress ends; 0: never")
	help.SetRest(flags, help.Run)
	flags.BoolVar(&f.json, "json", false, jsonHelp)
	flags.BoolVar(&f.stats, "stats", false, "report where the ranks' time went, and messages, pieces and requests")
	flags.StringVar(&f.trace, "trace", "", "write the activity of all ranks to a `file`, for the viewers of Chrome and Perfetto")
	flags.StringVar(&f.progress, "progress", f.progress, "`mode` of progress: auto (a bar on a terminal, else a line every 10 s), on, off")
	flags.StringVar(&f.progressFile, "progress-file", "", "write progress to a `file`: one JSON object per line, several per second")
	f.live.addFlags(flags)
	help.SetRest(flags, help.Output)
	flags.BoolVar(&f.perRank, "per-rank", false, "list every rank in the JSON, also above 4096 ranks")
	flags.StringVar(&f.quantum, "quantum", f.quantum, "`number` of expansions between two polls, or auto")
	flags.IntVar(&p.Serve, "serve", 0, fmt.Sprintf("most messages that a busy rank answers at a poll; 0: %d, or the machine's number", spmd.DefaultServe))
	flags.IntVar(&f.events, "trace-events", f.events, "number of events per rank that --trace keeps: the last ones")
	flags.StringVar(&f.logLevel, "log-level", f.logLevel, logLevelHelp)
	help.SetRest(flags, help.Expert)
	help.SetCommon(flags, "ranks", "timeout", "json", "stats", "progress")
}

// Texts of flags that several commands have.
const (
	jsonHelp     = "print one JSON object instead of text"
	lineHelp     = "`mode` of the progress line: auto (if standard error is a terminal), on, off"
	logLevelHelp = "log `level`: error, warning, info, debug"
	relaxedHelp  = "accept a header with wrong numbers of variables or clauses, with a warning"
)

// newJob makes a job of the flags: a plan, in which the values of flags were changed perhaps,
// for a workload that reads and writes files.
func (f *searchFlags) newJob(plan run.Plan, w run.Workload, files ...place) (job, error) {
	plan, err := f.completePlan(plan)
	if err != nil {
		return job{}, err
	}
	flags := f.cmd.Flags()
	return job{
		runOptions: f.runOptions, plan: plan, workload: w, files: files,
		ranksGiven: flags.Changed("ranks"), saves: flags.Lookup("checkpoint") != nil,
	}, nil
}

// completePlan returns a plan with what the other flags say, and checks it.
func (f *searchFlags) completePlan(p run.Plan) (run.Plan, error) {
	var err error
	if p.Splitting.Rule, err = search.ParseRule(f.split); err != nil {
		return p, flagError("split", err)
	}
	if f.quantum != "auto" {
		if p.Quantum, err = strconv.Atoi(f.quantum); err != nil || p.Quantum < 1 {
			return p, flagError("quantum", fmt.Errorf("%q: expected auto or a number of at least 1", f.quantum))
		}
	}
	p.Splits = lb.AutoSplits
	if f.splits != "auto" {
		if p.Splits, err = strconv.Atoi(f.splits); err != nil || p.Splits < 0 {
			return p, flagError("splits", fmt.Errorf("%q: expected auto or a number of 0 to %d", f.splits, search.MaxSplits))
		}
	}
	if p.Phase, p.PhaseNodes, err = parsePhase(f.phase); err != nil {
		return p, flagError("phase", err)
	}
	switch f.progress {
	case "auto", "on", "off":
	default:
		return p, flagError("progress", fmt.Errorf("%q: expected auto, on or off", f.progress))
	}
	if f.trace != "" {
		if f.events < 1 {
			return p, flagError("trace-events", fmt.Errorf("%d: expected at least 1", f.events))
		}
		p.Observer = observe.Observer{Stats: f.stats, TraceEvents: f.events}
	} else if f.stats {
		p.Observer = observe.Observer{Stats: true}
	}
	if err := f.live.prepare(&p); err != nil {
		return p, err
	}
	if err := f.pace.completePlan(&p); err != nil {
		return p, err
	}
	if p.Levels == 0 { // which means the default elsewhere
		return p, flagError("levels", errors.New("0: expected 1 to 16"))
	}
	launched := p
	if size, underMPI := f.launchedRanks(); underMPI {
		launched.Ranks = size
	}
	return p, launched.Check()
}

// parsePhase reads the length of a phase: a span or a number of nodes, or neither for auto.
func parsePhase(text string) (span time.Duration, nodes int, err error) {
	if text == "auto" {
		return 0, 0, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return 0, n, nil
	}
	span, err = time.ParseDuration(text)
	if err != nil || span <= 0 {
		return 0, 0, fmt.Errorf("%q: expected auto, a time such as 200us, or a number of nodes", text)
	}
	return span, 0, nil
}

func flagError(flag string, err error) error {
	return run.InputError{Err: fmt.Errorf("--%s: %w", flag, err)}
}
