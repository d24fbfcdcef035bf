package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// Plan says how a search is run. Every rank of a run must have the same Plan.
type Plan struct {
	Ranks       int    // goroutine ranks; under MPI the launcher decides
	Scheme      string // one of lb.SchemeNames
	Termination string // one of termination.DetectorNames
	Topology    string // one of topology.NetworkNames: the neighbours of NN
	Seed        uint64

	Quantum int // expansions between polls; 0 adapts
	// QuantumTime is how long a quantum that adapts is to last, for workloads that
	// want long ones; 0 is spmd's.
	QuantumTime time.Duration
	Serve       int           // messages a busy rank answers at a poll; 0 is spmd.DefaultServe
	Delay       time.Duration // δ of GRR-M
	Splitting   search.Splitting
	Damage      float64 // α of the damaged splitting function; 0: none
	Levels      int     // l of ML; 0 is 2
	// Of poll and shuffle; the zero values are package lb's defaults.
	Phase       time.Duration // length of a phase
	PhaseNodes  int           // length of a phase in nodes, in place of Phase
	Trigger     string        // one of lb.Triggers
	TriggerAt   float64       // share of idle ranks from which on a cycle ends in a shuffle
	Permutation string        // one of lb.ShufflePermutations

	Splits  int     // k of a static start, or lb.AutoSplits
	Cluster float64 // α of static+clustered, which polls within log^α P ranks; 0 is 1
	// RouteThroughScheduler sends SB's pieces through the scheduler.
	RouteThroughScheduler bool

	Checkpoint      string        // file that the search is saved in; "": none
	CheckpointEvery time.Duration // how often; 0: only when the run is ended early. Virtual on a simulated machine
	Resume          string        // checkpoint that the search goes on from; ResumeAuto: Checkpoint, if it is there; "": none
	Restart         bool          // overwrite a checkpoint that is there already
	Store           Store         // where checkpoints are: checkpoint.Files; nil: there are none

	Timeout  time.Duration // 0: none
	Stall    time.Duration // 0: no watchdog
	Observer Observer      // tells more of the run than its counts: an observe.Observer; nil: nothing
	// Sequential runs the search on one rank without balancing first, to know the
	// efficiency.
	Sequential bool
}

// Check refuses a Plan that no run can follow; the error is an InputError.
func (p Plan) Check() error {
	if err := lb.CheckName(p.Scheme); err != nil {
		return FlagError("scheme", err)
	}
	if p.Damage > 0 && lb.MovesShares(p.Scheme) {
		return FlagError("damage", fmt.Errorf("%s moves whole shares, which a damaged one cannot: expected another scheme", p.Scheme))
	}
	if p.Damage > 0 && lb.CutsSubtasks(p.Scheme) {
		return FlagError("damage", fmt.Errorf("%s cuts off subtasks and does not split: expected a scheme that does", p.Scheme))
	}
	if _, err := termination.New(p.Termination, 0, 1); err != nil {
		return FlagError("termination", err)
	}
	if _, err := topology.Parse(p.Topology, 1); err != nil {
		return FlagError("topology", err)
	}
	for _, c := range []struct {
		ok       bool
		flag     string
		value    any
		expected string
	}{
		{p.Ranks >= 1 && p.Ranks <= MaxRanks, "ranks", p.Ranks, fmt.Sprintf("1 to %d", MaxRanks)},
		{p.Quantum >= 0, "quantum", p.Quantum, "auto or at least 1"},
		{p.Serve >= 0, "serve", p.Serve, "at least 1, or 0 for the world's own"},
		{p.Delay >= 0, "delay", p.Delay, "a span of 0 or more"},
		{p.Splitting.MinOpen >= 1, "min-split", p.Splitting.MinOpen, "at least 1"},
		{p.Splitting.Cutoff >= 0, "cutoff", p.Splitting.Cutoff, "a depth of at least 1, or 0 for none"},
		{p.Levels >= 0 && p.Levels <= 16, "levels", p.Levels, "1 to 16"},
		{p.Damage >= 0 && p.Damage <= 1, "damage", p.Damage, "a share above 0 and up to 1, or 0 for no damage"},
		{p.Splits >= lb.AutoSplits && p.Splits <= search.MaxSplits, "splits", p.Splits, fmt.Sprintf("auto or 0 to %d", search.MaxSplits)},
		{p.Phase >= 0, "phase", p.Phase, "a span above 0, a number of nodes, or auto"},
		{p.PhaseNodes >= 0, "phase", p.PhaseNodes, "a span above 0, a number of nodes, or auto"},
		{p.Trigger == "" || slices.Contains(lb.Triggers, p.Trigger), "trigger", p.Trigger, "one of " + strings.Join(lb.Triggers, ", ")},
		{p.TriggerAt >= 0 && p.TriggerAt <= 1, "trigger-at", p.TriggerAt, "a share of 0 to 1"},
		{p.Permutation == "" || slices.Contains(lb.ShufflePermutations, p.Permutation), "permutation", p.Permutation, "one of " + strings.Join(lb.ShufflePermutations, ", ")},
		{p.Cluster >= 0 && p.Cluster <= 16, "cluster", p.Cluster, "0 to 16"},
		{p.Timeout >= 0, "timeout", p.Timeout, "a span above 0, or 0 for none"},
		{p.CheckpointEvery >= 0, "checkpoint-every", p.CheckpointEvery, "a span above 0, or 0 for the end of the run alone"},
		{p.CheckpointEvery == 0 || p.Checkpoint != "", "checkpoint-every", p.CheckpointEvery, "--checkpoint with it, which names the file"},
		{!p.Sequential || p.Resume == "", "sequential", p.Sequential, "no --resume with it: only a part of the tree is left"},
		{p.Stall >= 0, "stall", p.Stall, "a span above 0, or 0 for no watchdog"},
	} {
		if !c.ok {
			return FlagError(c.flag, fmt.Errorf("%v: expected %s", c.value, c.expected))
		}
	}
	return p.checkNames()
}

// MaxRanks bounds the number of ranks in one process.
const MaxRanks = 1 << 20

// FlagError returns an InputError about the value of a flag.
func FlagError(flag string, err error) error {
	return InputError{fmt.Errorf("--%s: %w", flag, err)}
}

// InputError is an error of whoever runs the program: a bad flag, or an input
// that cannot be read. Its text is one line.
type InputError struct{ Err error }

// Error returns the text of the error within.
func (e InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error within.
func (e InputError) Unwrap() error { return e.Err }
