package workloads

import (
	"errors"
	"fmt"

	"treesplit/comm"
	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/search"
)

// KSBF is a computation that evolves on a ring of ranks under KS-BF (package ksbf). The problem
// consists of the parameters, which every rank has from the command line.
type KSBF struct{ Workload ksbf.Workload }

// Load checks the parameters.
func (w *KSBF) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode checks the parameters. It ignores the data.
func (w *KSBF) Decode([]byte) (run.Problem, error) {
	return ksbfProblem{w.Workload}, w.Workload.Validate()
}

// KSBFTally returns the counts of a run as a Tally.
func KSBFTally(c run.Counts) ksbf.Tally {
	return ksbf.Tally{Nodes: c.Sums[0], Leaves: c.Sums[1], Depth: c.Maxima[0], Sum: ksbf.FromWords(c.Sums[2:])}
}

func ksbfCounts(t *ksbf.Tally) run.Counts {
	return run.Counts{Sums: append([]int64{t.Nodes, t.Leaves}, t.Sum.DigitWords()...), Maxima: []int64{t.Depth}}
}

type ksbfProblem struct{ work ksbf.Workload }

func (p ksbfProblem) Encode() ([]byte, error) { return nil, nil }

// Names returns the names that package ksbf uses.
func (p ksbfProblem) Names() (scheme, termination string) { return ksbf.Schemes[0].Name, "round" }

// Rank makes a rank of KS-BF.
func (p ksbfProblem) Rank() (lb.Balancer, func() (run.Counts, []byte)) {
	r := ksbfRank{ksbf.NewRank(p.work)}
	return r, func() (run.Counts, []byte) { return ksbfCounts(r.Processor().Tally()), nil }
}

// Share makes the share of a sequential run: the computation in one loop.
func (p ksbfProblem) Share(search.Splitting, bool) search.Work {
	return ksbfLoop{ksbf.NewLoop(p.work)}
}

func (p ksbfProblem) Count(w search.Work) run.Counts { return ksbfCounts(w.(ksbfLoop).Tally()) }

func (p ksbfProblem) Witness(search.Work) []byte { return nil }

// ksbfLoop is a computation in one loop, as a share that cannot be split.
type ksbfLoop struct{ *ksbf.Loop }

func (l ksbfLoop) Expand(limit int) int { return l.ExecuteTasks(limit) }

func (l ksbfLoop) Split(dst []byte) ([]byte, bool) { return dst, false }

func (l ksbfLoop) Accept([]byte) error {
	return errors.New("a piece of a computation on a ring: expected none, it is not split")
}

// ksbfRank adapts a rank of KS-BF to package lb, so that spmd.DriveRank can drive and audit it.
type ksbfRank struct{ *ksbf.Rank }

// Wake does nothing: the protocol sets no alarm.
func (r ksbfRank) Wake(comm.Env) {}

// Halt requests the end of the run.
func (r ksbfRank) Halt(env comm.Env, why lb.Reason) { r.Rank.Halt(env, int64(why)) }

// State returns the state of the rank. A rank without tasks waits without a request.
func (r ksbfRank) State() lb.State {
	return protocolState(r.Rank)
}

// protocolState returns the state of a rank of a protocol without requests.
func protocolState(r interface {
	Done() bool
	Busy() bool
}) lb.State {
	switch {
	case r.Done():
		return lb.Done
	case r.Busy():
		return lb.Busy
	}
	return lb.Waiting
}

// Reason returns the reason for the end of the run.
func (r ksbfRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats returns the counts of the rank. No rank sends or refuses requests.
func (r ksbfRank) Stats() lb.Stats {
	sent, accepted, bytes := r.TrafficCounts()
	return lb.Stats{Expanded: r.Processor().Tally().Nodes, Grants: sent, Accepted: accepted, Bytes: bytes}
}

// Audit returns the sum of the credits of tasks. It adds numbers of equal credits bit by bit: 2^b
// credits of 2^−e are one credit of 2^(b−e). If b > e, there are more credits than ever existed;
// Audit then adds nothing, so that the audit fails as it should.
func (r ksbfRank) Audit() (a lb.Audit) {
	for e, n := range r.Processor().RecoveredCredits() {
		for b := 0; n>>b > 0; b++ {
			if n>>b&1 == 1 {
				a.Recovered.AddCredit(int64(e - b))
			}
		}
	}
	for _, e := range r.Processor().HeldCredits() {
		a.Held.AddCredit(int64(e))
	}
	return a
}

// Dump describes the rank for debugging.
func (r ksbfRank) Dump() string { return fmt.Sprintf("ks-bf: %v", r.Rank) }
