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
	"treesplit/search"
	"treesplit/sim"
	"treesplit/spmd"
	"treesplit/termination"
	"treesplit/topology"
)

// searchFlags are the flags that every search verb has.
type searchFlags struct {
	plan     run.Plan
	machine  string
	quantum  string
	split    string
	splits   string
	phase    string
	json     bool
	perRank  bool
	trace    string // file, or ""
	events   int    // of each rank in it, at most
	progress string
	// progressFile is where JSON lines of progress go to, or "".
	progressFile string
	logLevel     string

	own []place // files of the command itself

	cmd *cobra.Command
	// step is told on rank 0 of each step of the run; nil: nobody is.
	step func(show *progress, s run.Step)
	// status tells what stands before the count of the progress line; nil: nothing does.
	status func() string
}

// add defines the flags on a verb.
func (f *searchFlags) add(cmd *cobra.Command) {
	f.addRanks(cmd)
	p, flags := &f.plan, cmd.Flags()
	flags.StringVar(&f.machine, "machine", "", "simulate a `machine`: "+strings.Join(sim.Names(), ", ")+", or a machine file")
	flags.StringVar(&p.Scheme, "scheme", "rp", "load-balancing `scheme`: "+strings.Join(lb.Names(), ", "))
	flags.StringVar(&p.Termination, "termination", "ring", "termination `detector`: "+strings.Join(termination.Names(), ", "))
	flags.StringVar(&p.Topology, "topology", "hypercube", "`network` whose neighbours nn asks, whose clusters static+clustered polls and whose dimensions shuffle goes through: "+strings.Join(topology.Names(), ", "))
	flags.Uint64Var(&p.Seed, "seed", 1, "seed of the ranks' random streams")
	flags.DurationVar(&p.Delay, "delay", 100*time.Microsecond, "δ: how long grr-m holds a lone request to combine it with another")
	flags.StringVar(&f.split, "split", search.DefaultSplitting.Rule.String(), "what a donor gives: half (every other open alternative) or bottom (the one nearest to the root)")
	flags.IntVar(&p.Splitting.MinOpen, "min-split", search.DefaultSplitting.MinOpen, "open alternatives below which a donor says \"too little work\"")
	flags.IntVar(&p.Splitting.Cutoff, "cutoff", 0, "`depth` from which on alternatives are not given away (0: none); under sl, ml, ra that of subtasks (0: 8)")
	flags.IntVar(&p.Levels, "levels", 2, "ml: depth of the tree of generators")
	flags.StringVar(&f.splits, "splits", "auto", "static: `k`, the tree is dealt out in 2^k parts; auto: by a look at the tree")
	flags.StringVar(&f.phase, "phase", "auto", "shuffle: length of a phase: auto, a time (200us) or a number of nodes (500)")
	flags.StringVar(&p.Trigger, "trigger", lb.Triggers[0], "shuffle: `which` cycles end in a shuffle: "+strings.Join(lb.Triggers, ", "))
	flags.Float64Var(&p.TriggerAt, "trigger-at", lb.DefaultTriggerAt, "shuffle: the `share` of idle ranks from which on they do, under count and notify")
	flags.StringVar(&p.Permutation, "permutation", lb.ShufflePermutations[0], "shuffle: `kind` of permutation: "+strings.Join(lb.ShufflePermutations, ", "))
	flags.Float64Var(&p.Cluster, "cluster", 1, "static+clustered: `α`, clusters have log^α P ranks")
	flags.Float64Var(&p.Damage, "damage", 0, "damaged splitting: of what is split off only this `share` leaves the donor; 0: no damage")
	flags.BoolVar(&p.RouteThroughScheduler, "route-through-scheduler", false, "sb: send pieces through the scheduler, as first published")
	f.addCheckpoint(cmd)
	f.addRun(cmd)
}

// addCheckpoint defines where a search is saved and what it goes on from.
func (f *searchFlags) addCheckpoint(cmd *cobra.Command) {
	p, flags := &f.plan, cmd.Flags()
	flags.StringVar(&p.Checkpoint, "checkpoint", "", "save the search in a `file`: when it is ended early, by --timeout, Ctrl-C, SIGTERM or SIGUSR1, and as often as --checkpoint-every says")
	flags.DurationVar(&p.CheckpointEvery, "checkpoint-every", 0, "save the search so often; 0: only when it is ended early")
	flags.StringVar(&p.Resume, "resume", "", "go on from a checkpoint `file`, on any number of ranks, under any scheme and in any world; auto: from that of --checkpoint if it is there, else start at the beginning")
	flags.BoolVar(&p.Restart, "restart", false, "start at the beginning and overwrite the checkpoint that is in the file of --checkpoint")
}

// addRanks defines the number of ranks.
func (f *searchFlags) addRanks(cmd *cobra.Command) {
	f.cmd = cmd
	cmd.Flags().IntVarP(&f.plan.Ranks, "ranks", "n", runtime.GOMAXPROCS(0), "number of goroutine or simulated ranks; under mpirun it must be the launcher's")
	cmd.Flags().SortFlags = false
}

// addRun defines what has nothing to do with schemes: how ranks poll, when a run ends
// and what it prints.
func (f *searchFlags) addRun(cmd *cobra.Command) {
	p, flags := &f.plan, cmd.Flags()
	flags.StringVar(&f.quantum, "quantum", "auto", "expansions between two polls: auto, or a number")
	flags.IntVar(&p.Serve, "serve", 0, fmt.Sprintf("messages that a busy rank answers at a poll; 0: %d, or the machine's", spmd.DefaultServe))
	flags.DurationVar(&p.Timeout, "timeout", 0, "end the search after this time with what is known; 0: never")
	flags.DurationVar(&p.Stall, "stall", time.Minute, "name a rank that has not been heard from for this time, and end the run with a dump of all ranks when none has moved for it; 0: never")
	flags.BoolVar(&p.Sequential, "sequential", false, "search on one rank without balancing first, and report the efficiency against that")
	flags.BoolVar(&f.json, "json", false, "print one JSON object instead of text")
	flags.BoolVar(&f.perRank, "per-rank", false, "list every rank in the JSON even above 4096 ranks")
	flags.BoolVar(&p.Stats, "stats", false, "tell where the time of the ranks went, of messages, pieces and requests; with --json under stats")
	flags.StringVar(&f.trace, "trace", "", "write what every rank did to a `file` for Chrome's or Perfetto's viewer, compressed where it ends in .zst or .gz")
	flags.IntVar(&f.events, "trace-events", 1<<16, "events of each rank that are kept for --trace, the last ones")
	flags.StringVar(&f.progress, "progress", "auto", "tell of progress: auto (a bar on a terminal, elsewhere a line every 10 s), on (also at the beginning and the end), off; \"about\" marks a share that is an estimate")
	flags.StringVar(&f.progressFile, "progress-file", "", "write a JSON object for each look at the progress, several a second, to a `file`: one a line, the last of the end")
	flags.StringVar(&f.logLevel, "log-level", "warning", "log `level`: error, warning, info, debug")
}

// finish completes the plan from flags that are not numbers.
func (f *searchFlags) finish() error {
	var err error
	if f.plan.Splitting.Rule, err = search.ParseRule(f.split); err != nil {
		return flagError("split", err)
	}
	if f.quantum != "auto" {
		if f.plan.Quantum, err = strconv.Atoi(f.quantum); err != nil || f.plan.Quantum < 1 {
			return flagError("quantum", fmt.Errorf("%q: expected auto or a number of at least 1", f.quantum))
		}
	}
	if f.plan.Splits = lb.AutoSplits; f.splits != "auto" {
		if f.plan.Splits, err = strconv.Atoi(f.splits); err != nil || f.plan.Splits < 0 {
			return flagError("splits", fmt.Errorf("%q: expected auto or a number of 0 to %d", f.splits, search.MaxSplits))
		}
	}
	if err := f.finishPhase(); err != nil {
		return err
	}
	switch f.progress {
	case "auto", "on", "off":
	default:
		return flagError("progress", fmt.Errorf("%q: expected auto, on or off", f.progress))
	}
	if f.trace != "" {
		if f.events < 1 {
			return flagError("trace-events", fmt.Errorf("%d: expected at least 1", f.events))
		}
		f.plan.TraceEvents = f.events
	}
	return f.plan.Check()
}

// finishPhase reads a span or a number of nodes.
func (f *searchFlags) finishPhase() error {
	if f.phase == "auto" {
		return nil
	}
	if n, err := strconv.Atoi(f.phase); err == nil && n > 0 {
		f.plan.PhaseNodes = n
		return nil
	}
	d, err := time.ParseDuration(f.phase)
	if err != nil || d <= 0 {
		return flagError("phase", fmt.Errorf("%q: expected auto, a time such as 200us, or a number of nodes", f.phase))
	}
	f.plan.Phase = d
	return nil
}

func flagError(flag string, err error) error {
	return run.InputError{Err: fmt.Errorf("--%s: %w", flag, err)}
}
