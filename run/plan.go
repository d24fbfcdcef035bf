package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"treesplit/lb"
	"treesplit/local"
	"treesplit/search"
	"treesplit/spmd"
	"treesplit/termination"
	"treesplit/topology"
)

// Plan is how a search is run. All ranks of a run must have the same Plan.
type Plan struct {
	Ranks       int    // number of goroutine ranks; under MPI the launcher decides
	Scheme      string // one of lb.SchemeNames
	Termination string // one of termination.DetectorNames
	Topology    string // one of topology.NetworkNames; it defines the neighbours of NN
	Seed        uint64

	Quantum int // expansions between polls; 0: adaptive
	// QuantumTime is the target duration of an adaptive quantum; 0 is spmd's default. Workloads
	// with slow nodes need a longer one.
	QuantumTime time.Duration
	Serve       int           // most messages that a busy rank answers at a poll; 0 is spmd.DefaultServe
	Delay       time.Duration // δ of GRR-M
	Splitting   search.Splitting
	Damage      float64 // α of the damaged splitting function; 0: none
	Levels      int     // l of ML; 0 is 2
	Arity       int     // m of ML; 0 is ⌈P^(1/l)⌉
	// Of poll and shuffle. Zero values are the defaults of package lb.
	Phase       time.Duration // length of a phase
	PhaseNodes  int           // length of a phase in nodes, instead of Phase
	Trigger     string        // one of lb.Triggers
	TriggerAt   float64       // a cycle ends in a shuffle from this fraction of idle ranks on, 0 to 1
	Permutation string        // one of lb.ShufflePermutations

	Splits  int     // k of a static start, or lb.AutoSplits
	Cluster float64 // α of static+clustered, which polls within log^α P ranks; 0 means 1
	// RouteThroughScheduler sends SB's pieces through the scheduler.
	RouteThroughScheduler bool
	// EqualTargets makes all ranks of ARR ask rank 0 first.
	EqualTargets bool

	Checkpoint      string        // file in which the search is saved; "": none
	CheckpointEvery time.Duration // time between checkpoints, virtual on a simulated machine; 0: save only when the run is ended early
	Resume          string        // checkpoint to resume; ResumeAuto: Checkpoint, if it exists; "": none
	Restart         bool          // overwrite an existing checkpoint
	Store           Store         // keeps the checkpoints: checkpoint.Files; nil: no checkpoints

	// Emulation of processors and networks, on real ranks.
	Pace    spmd.Pace     // how long nodes take; nil: as long as they take on this machine
	Network local.Network // delays messages between goroutine ranks

	Timeout  time.Duration // 0: none
	Stall    time.Duration // 0: no watchdog
	Observer Observer      // adds statistics and a trace to the counts: an observe.Observer; nil: none
	// Sequential runs the search first on one rank without balancing. Its time gives the
	// efficiency.
	Sequential bool
}

// Check returns an error if no run can follow the Plan. The error is an InputError.
func (p Plan) Check() error {
	if err := lb.CheckName(p.Scheme); err != nil {
		return FlagError("scheme", err)
	}
	if p.Damage > 0 && lb.MovesShares(p.Scheme) {
		return FlagError("damage", fmt.Errorf("%s moves whole shares, but a damaged share cannot move: expected another scheme", p.Scheme))
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
		{p.Splitting.Cutoff >= 0 && p.Splitting.Cutoff <= lb.MaxCutoff, "cutoff", p.Splitting.Cutoff, fmt.Sprintf("a depth of 1 to %d, or 0 for none", lb.MaxCutoff)},
		{p.Levels >= 0 && p.Levels <= 16, "levels", p.Levels, "1 to 16"},
		{p.Arity == 0 || p.Arity >= 2 && p.Arity <= MaxRanks, "arity", p.Arity, fmt.Sprintf("2 to %d, or 0 for the root of P", MaxRanks)},
		{p.Damage >= 0 && p.Damage <= 1, "damage", p.Damage, "a fraction above 0 and up to 1, or 0 for no damage"},
		{p.Splits >= lb.AutoSplits && p.Splits <= search.MaxSplits, "splits", p.Splits, fmt.Sprintf("auto or 0 to %d", search.MaxSplits)},
		{p.Phase >= 0, "phase", p.Phase, "a span above 0, a number of nodes, or auto"},
		{p.PhaseNodes >= 0, "phase", p.PhaseNodes, "a span above 0, a number of nodes, or auto"},
		{p.Trigger == "" || slices.Contains(lb.Triggers, p.Trigger), "trigger", p.Trigger, "one of " + strings.Join(lb.Triggers, ", ")},
		{p.TriggerAt >= 0 && p.TriggerAt <= 1, "trigger-at", p.TriggerAt, "a fraction of 0 to 1"},
		{p.Permutation == "" || slices.Contains(lb.ShufflePermutations, p.Permutation), "permutation", p.Permutation, "one of " + strings.Join(lb.ShufflePermutations, ", ")},
		{p.Cluster >= 0 && p.Cluster <= 16, "cluster", p.Cluster, "0 to 16"},
		{p.Timeout >= 0, "timeout", p.Timeout, "a span above 0, or 0 for none"},
		{p.CheckpointEvery >= 0, "checkpoint-every", p.CheckpointEvery, "a span above 0, or 0 for the end of the run alone"},
		{p.CheckpointEvery == 0 || p.Checkpoint != "", "checkpoint-every", p.CheckpointEvery, "--checkpoint FILE as well"},
		{!p.Sequential || p.Resume == "", "sequential", p.Sequential, "no --resume with it: only a part of the tree is left"},
		{p.Stall >= 0, "stall", p.Stall, "a span above 0, or 0 for no watchdog"},
	} {
		if !c.ok {
			return FlagError(c.flag, fmt.Errorf("%v: expected %s", c.value, c.expected))
		}
	}
	if err := p.CheckEmulation(); err != nil {
		return err
	}
	return p.checkNames()
}

// MaxRanks bounds the number of ranks in one process.
const MaxRanks = 1 << 20

// FlagError returns an InputError about the value of a flag.
func FlagError(flag string, err error) error {
	return InputError{fmt.Errorf("--%s: %w", flag, err)}
}

// InputError is an error that the user can correct: an invalid flag, or an input that cannot be
// read. Its text is one line.
type InputError struct{ Err error }

// Error returns the text of the error within.
func (e InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error within.
func (e InputError) Unwrap() error { return e.Err }
