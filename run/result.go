package run

import (
	"fmt"
	"strings"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/spmd"
)

// Result is what rank 0 knows after a run. Its JSON keys are those of the command
// line's --json.
type Result struct {
	World       string `json:"world"` // "local", "mpi" or "sim"
	Machine     string `json:"machine,omitempty"`
	Library     string `json:"mpiLibrary,omitempty"`
	Ranks       int    `json:"ranks"`
	Scheme      string `json:"scheme"`
	Termination string `json:"termination"`
	Seed        uint64 `json:"seed"`

	Expanded int64 `json:"expanded"` // W
	// Redundant counts nodes that were expanded once more under a static start, to
	// find the way to a part of the tree or to choose the number of parts.
	Redundant int64 `json:"redundant"`
	Requests  int64 `json:"requests"`
	Grants    int64 `json:"grants"`
	Rejects   int64 `json:"rejects"`
	Messages  int64 `json:"messages"` // of all kinds, between different ranks
	Bytes     int64 `json:"pieceBytes"`

	Seconds           float64 `json:"seconds"`        // of this run; virtual on a simulated machine
	NodesPerSecond    float64 `json:"nodesPerSecond"` // of this run, without the nodes of runs before it
	SequentialSeconds float64 `json:"sequentialSeconds,omitempty"`
	Efficiency        float64 `json:"efficiency,omitempty"`
	Events            int64   `json:"events,omitempty"` // of a simulation
	Audit             string  `json:"audit"`            // "ok": a run whose books do not balance has no Result
	Reason            string  `json:"reason"`           // why the run ended: exhausted, decided, timeout, interrupted

	// Silent are the ranks that were stopped, or in one node, for longer than Plan.Stall, with
	// the longest time of each.
	Silent []Silence `json:"silent,omitempty"`

	Resumed *Resumed `json:"resumed,omitempty"`    // the run went on from a checkpoint
	Saved   *Saved   `json:"checkpoint,omitempty"` // the run was saved

	// Stats are statistics by Plan.Observer, for JSON; observe.StatisticsOf returns them.
	Stats any `json:"stats,omitempty"`

	PerRank []RankResult `json:"perRank,omitempty"`

	Steps   []Step    `json:"-"` // the searches that an Iterated problem took, or one
	Counts  Counts    `json:"-"` // the workload's own, of all steps
	Witness []byte    `json:"-"` // of the last step, as Bound is
	Bound   int64     `json:"-"` // the least value known of an Optimising problem; see Step
	Why     lb.Reason `json:"-"`
	Trace   any       `json:"-"` // recorded by Plan.Observer; observe.TraceOf returns it

	// Trouble is what went wrong with a file beside the result (a proof, a checkpoint), or
	// nil. The result holds all the same, and is to be told before it.
	Trouble error `json:"-"`
}

// StoppedEarly reports whether the run was ended early, by time or by a person.
func (r *Result) StoppedEarly() bool { return isStopReason(r.Why) }

// addTrouble notes what went wrong beside the result, once.
func (r *Result) addTrouble(err error) {
	if err == nil || r.Trouble != nil && strings.Contains(r.Trouble.Error(), err.Error()) {
		return
	}
	if r.Trouble != nil {
		err = fmt.Errorf("%w; %w", r.Trouble, err)
	}
	r.Trouble = err
}

// RankResult is one rank's part of a Result.
type RankResult struct {
	Rank int `json:"rank"`
	lb.Stats
	Messages    int64   `json:"messages"`
	WorkSeconds float64 `json:"workSeconds"` // spent expanding nodes
	IdleSeconds float64 `json:"idleSeconds"` // spent without work
	// SilentSeconds is the longest time above Plan.Stall that it was stopped or in one node.
	SilentSeconds float64 `json:"silentSeconds,omitempty"`
	Spent         *Spent  `json:"spent,omitempty"` // with Plan.Observer
}

func toSeconds(t comm.Time) float64 { return t.Duration().Seconds() }

func rankResult(rank int, r spmd.Report) RankResult {
	return RankResult{Rank: rank, Stats: r.Stats, Messages: r.Messages, WorkSeconds: toSeconds(r.Work), IdleSeconds: toSeconds(r.Idle), SilentSeconds: toSeconds(r.Silent)}
}

// addRankResult adds what the rank has done in another step.
func (r *RankResult) addRankResult(p RankResult) {
	r.Stats.AddCounts(p.Stats)
	r.Messages += p.Messages
	r.WorkSeconds += p.WorkSeconds
	r.IdleSeconds += p.IdleSeconds
	r.SilentSeconds = max(r.SilentSeconds, p.SilentSeconds)
}

// addRankTotals adds a rank's numbers to the totals.
func (r *Result) addRankTotals(p RankResult) {
	r.Expanded += p.Expanded
	r.Redundant += p.Redundant
	r.Requests += p.Requests
	r.Grants += p.Grants
	r.Rejects += p.Rejects
	r.Messages += p.Messages
	r.Bytes += p.Bytes
}
