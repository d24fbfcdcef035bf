package run

import (
	"fmt"
	"strings"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/spmd"
)

// Result is the result of a run, on rank 0. Its JSON keys are the keys of the command line's
// --json.
type Result struct {
	World       string `json:"world"` // "local", "mpi" or "sim"
	Machine     string `json:"machine,omitempty"`
	Library     string `json:"mpiLibrary,omitempty"`
	Ranks       int    `json:"ranks"`
	Scheme      string `json:"scheme"`
	Termination string `json:"termination"`
	Seed        uint64 `json:"seed"`

	Expanded int64 `json:"expanded"` // W: number of expanded nodes
	// Redundant counts nodes that were expanded a second time under a static start, to find the
	// way to a part of the tree or to choose the number of parts, or by a share that repeats nodes
	// after it has moved or was saved (search.Settler).
	Redundant int64 `json:"redundant"`
	Requests  int64 `json:"requests"`
	Grants    int64 `json:"grants"`
	Rejects   int64 `json:"rejects"`
	Messages  int64 `json:"messages"` // of all kinds, between different ranks
	Bytes     int64 `json:"pieceBytes"`

	Seconds           float64 `json:"seconds"`        // time of this run; virtual on a simulated machine
	NodesPerSecond    float64 `json:"nodesPerSecond"` // of this run, without the nodes of earlier runs
	SequentialSeconds float64 `json:"sequentialSeconds,omitempty"`
	Efficiency        float64 `json:"efficiency,omitempty"`
	Paced             string  `json:"paced,omitempty"`  // time of a node on paced ranks; SequentialSeconds is then the number of nodes times it
	Pacing            *Pacing `json:"pacing,omitempty"` // of paced ranks; or nil
	Events            int64   `json:"events,omitempty"` // of a simulation
	// LinkWaitSeconds is the time that messages waited for the links of a simulated network with
	// contention, the sum over all messages.
	LinkWaitSeconds float64 `json:"linkWaitSeconds,omitempty"`
	Audit           string  `json:"audit"`  // always "ok": a run that fails its audit returns an error and no Result
	Reason          string  `json:"reason"` // why the run ended: exhausted, decided, timeout, interrupted

	// Silent lists the ranks that were stopped, or expanded one node, for longer than Plan.Stall.
	// It gives the longest time of each rank.
	Silent []Silence `json:"silent,omitempty"`

	Resumed *Resumed `json:"resumed,omitempty"`    // the run resumed a checkpoint; or nil
	Saved   *Saved   `json:"checkpoint,omitempty"` // the run was saved; or nil

	// Stats are the statistics of Plan.Observer, for JSON. observe.StatisticsOf returns them.
	Stats any `json:"stats,omitempty"`

	PerRank []RankResult `json:"perRank,omitempty"`

	Steps   []Step    `json:"-"` // the searches of an Iterated problem, or the one search
	Counts  Counts    `json:"-"` // counts of the workload, of all steps
	Witness []byte    `json:"-"` // of the last step, as Bound is
	Bound   int64     `json:"-"` // the least known value of an Optimising problem; see Step
	Why     lb.Reason `json:"-"`
	Trace   any       `json:"-"` // recorded by Plan.Observer; observe.TraceOf returns it

	Watched map[string]int64 `json:"-"` // Progress.Counts at the end

	// Trouble is an error of a file beside the result, a proof or a checkpoint, or nil. The
	// result is valid all the same and should be reported first.
	Trouble error `json:"-"`

	saveUnproved func(logs Spool) // saves the complete search if the run has a checkpoint; nil: one share has decided it
}

// StoppedEarly reports whether the run was ended early, by the timeout or by the user.
func (r *Result) StoppedEarly() bool { return isStopReason(r.Why) }

// addTrouble adds an error of a file beside the result, once.
func (r *Result) addTrouble(err error) {
	if err == nil || r.Trouble != nil && strings.Contains(r.Trouble.Error(), err.Error()) {
		return
	}
	if r.Trouble != nil {
		err = fmt.Errorf("%w; %w", r.Trouble, err)
	}
	r.Trouble = err
}

// RankResult is the part of one rank in a Result.
type RankResult struct {
	Rank int `json:"rank"`
	lb.Stats
	Messages    int64   `json:"messages"`
	WorkSeconds float64 `json:"workSeconds"` // time spent expanding nodes
	IdleSeconds float64 `json:"idleSeconds"` // time spent without work
	// SilentSeconds is the longest time above Plan.Stall that the rank was stopped or expanded
	// one node.
	SilentSeconds float64 `json:"silentSeconds,omitempty"`
	Spent         *Spent  `json:"spent,omitempty"` // with --stats: if Plan.Observer adds it
}

func toSeconds(t comm.Time) float64 { return t.Duration().Seconds() }

func rankResult(rank int, r spmd.Report) RankResult {
	return RankResult{Rank: rank, Stats: r.Stats, Messages: r.Messages, WorkSeconds: toSeconds(r.Work), IdleSeconds: toSeconds(r.Idle), SilentSeconds: toSeconds(r.Silent)}
}

// addRankResult adds the numbers of the rank in another step.
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
