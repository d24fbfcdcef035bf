package cli

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/observe"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/spmd"
	"treesplit/termination"
	"treesplit/topology"
)

// searchFlags are the flags of all search verbs. Some verbs define only a part of them; the others
// keep their defaults.
type searchFlags struct {
	runOptions
	plan run.Plan // without the values below, which completePlan reads

	quantum, split, splits, phase string
	events                        int // of each rank in the trace, at most

	cmd *cobra.Command
}

// newSearchFlags returns the flags with their defaults; the number of ranks is the number of cores.
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

// addFlags defines the flags of a search command.
func (f *searchFlags) addFlags(cmd *cobra.Command) {
	f.addRanksFlag(cmd)
	p, flags := &f.plan, cmd.Flags()
	flags.StringVar(&f.machine, "machine", "", "simulate a `machine`: "+strings.Join(sim.MachineNames(), ", ")+", or a machine file")
	flags.StringVar(&p.Scheme, "scheme", p.Scheme, "load-balancing `scheme`: "+strings.Join(lb.SchemeNames(), ", "))
	flags.StringVar(&p.Termination, "termination", p.Termination, "termination `detector`: "+strings.Join(termination.DetectorNames(), ", "))
	flags.StringVar(&p.Topology, "topology", p.Topology, "`network` whose neighbours nn asks, whose clusters static+clustered polls and whose dimensions shuffle goes through: "+strings.Join(topology.NetworkNames(), ", "))
	flags.Uint64Var(&p.Seed, "seed", p.Seed, "seed of the ranks' random streams")
	flags.DurationVar(&p.Delay, "delay", p.Delay, "δ: how long grr-m holds a lone request to combine it with another")
	flags.StringVar(&f.split, "split", f.split, "what a donor gives: half (every other open alternative) or bottom (the one nearest to the root)")
	flags.IntVar(&p.Splitting.MinOpen, "min-split", p.Splitting.MinOpen, "open alternatives below which a donor says \"too little work\"")
	flags.IntVar(&p.Splitting.Cutoff, "cutoff", p.Splitting.Cutoff, "`depth` from which on alternatives are not given away (0: none); under sl, ml, ra that of subtasks (0: 8)")
	flags.IntVar(&p.Levels, "levels", p.Levels, "ml: depth of the tree of generators")
	flags.StringVar(&f.splits, "splits", f.splits, "static: `k`, the tree is dealt out in 2^k parts; auto: by a look at the tree")
	flags.StringVar(&f.phase, "phase", f.phase, "shuffle: length of a phase: auto, a time (200us) or a number of nodes (500)")
	flags.StringVar(&p.Trigger, "trigger", p.Trigger, "shuffle: `which` cycles end in a shuffle: "+strings.Join(lb.Triggers, ", "))
	flags.Float64Var(&p.TriggerAt, "trigger-at", p.TriggerAt, "shuffle: the `share` of idle ranks from which on they do, under count and notify")
	flags.StringVar(&p.Permutation, "permutation", p.Permutation, "shuffle: `kind` of permutation: "+strings.Join(lb.ShufflePermutations, ", "))
	flags.Float64Var(&p.Cluster, "cluster", p.Cluster, "static+clustered: `α`, clusters have log^α P ranks")
	flags.Float64Var(&p.Damage, "damage", p.Damage, "damaged splitting: of what is split off only this `share` leaves the donor; 0: no damage")
	flags.BoolVar(&p.RouteThroughScheduler, "route-through-scheduler", false, "sb: send pieces through the scheduler, as first published")
	f.addCheckpointFlags(cmd)
	f.addRunFlags(cmd)
}

// addCheckpointFlags defines the flags for saving and resuming a search.
func (f *searchFlags) addCheckpointFlags(cmd *cobra.Command) {
	p, flags := &f.plan, cmd.Flags()
	flags.StringVar(&p.Checkpoint, "checkpoint", "", "save the search in a `file`: when it is ended early, by --timeout, Ctrl-C, SIGTERM or SIGUSR1, and as often as --checkpoint-every says")
	flags.DurationVar(&p.CheckpointEvery, "checkpoint-every", 0, "save the search so often; 0: only when it is ended early")
	flags.StringVar(&p.Resume, "resume", "", "go on from a checkpoint `file`, on any number of ranks, under any scheme and in any world; auto: from that of --checkpoint if it is there, else start at the beginning")
	flags.BoolVar(&p.Restart, "restart", false, "start at the beginning and overwrite the checkpoint that is in the file of --checkpoint")
}

// addRanksFlag defines the flag for the number of ranks.
func (f *searchFlags) addRanksFlag(cmd *cobra.Command) {
	f.cmd = cmd
	addRanksFlag(cmd, &f.plan.Ranks)
}

// addRanksFlag defines the flag for the number of ranks of a command. Its default is the number of
// cores.
func addRanksFlag(cmd *cobra.Command, ranks *int) {
	cmd.Flags().IntVarP(ranks, "ranks", "n", runtime.GOMAXPROCS(0), "number of goroutine or simulated ranks; under mpirun it must be the launcher's")
	cmd.Flags().SortFlags = false
}

// addRunFlags defines the flags that do not depend on schemes: how ranks poll, when a run ends, and
// what it prints.
func (f *searchFlags) addRunFlags(cmd *cobra.Command) {
	p, flags := &f.plan, cmd.Flags()
	flags.StringVar(&f.quantum, "quantum", f.quantum, "expansions between two polls: auto, or a number")
	flags.IntVar(&p.Serve, "serve", 0, fmt.Sprintf("messages that a busy rank answers at a poll; 0: %d, or the machine's", spmd.DefaultServe))
	flags.DurationVar(&p.Timeout, "timeout", 0, "end the search after this time with what is known; 0: never")
	flags.DurationVar(&p.Stall, "stall", p.Stall, "name a rank that has not been heard from for this time, and end the run with a dump of all ranks when none has moved for it; 0: never")
	flags.BoolVar(&p.Sequential, "sequential", false, "search on one rank without balancing first, and report the efficiency against that")
	flags.BoolVar(&f.json, "json", false, "print one JSON object instead of text")
	flags.BoolVar(&f.perRank, "per-rank", false, "list every rank in the JSON even above 4096 ranks")
	flags.BoolVar(&f.stats, "stats", false, "tell where the time of the ranks went, of messages, pieces and requests; with --json under stats")
	flags.StringVar(&f.trace, "trace", "", "write what every rank did to a `file` for Chrome's or Perfetto's viewer, compressed where it ends in .zst or .gz")
	flags.IntVar(&f.events, "trace-events", f.events, "events of each rank that are kept for --trace, the last ones")
	flags.StringVar(&f.progress, "progress", f.progress, "tell of progress: auto (a bar on a terminal, elsewhere a line every 10 s), on (also at the beginning and the end), off; \"about\" marks a share that is an estimate")
	flags.StringVar(&f.progressFile, "progress-file", "", "write a JSON object for each look at the progress, several a second, to a `file`: one a line, the last of the end")
	flags.StringVar(&f.logLevel, "log-level", f.logLevel, "log `level`: error, warning, info, debug")
}

// newJob makes a job of the flags: a plan, in which values may have been changed, for a workload
// that reads and writes files.
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

// completePlan returns a plan with the values of the other flags, and checks it.
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
	return p, p.Check()
}

// parsePhase reads the length of a phase: a span of time, or a number of nodes, or neither for
// auto.
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
