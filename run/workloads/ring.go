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

// Ring is a computation that evolves on a ring of ranks under KS-BF (package ksbf). The problem
// consists of the parameters, which every rank has from the command line.
type Ring struct{ Workload ksbf.Workload }

// Load checks the parameters.
func (w *Ring) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode checks the parameters. It ignores the data.
func (w *Ring) Decode([]byte) (run.Problem, error) {
	return ringProblem{w.Workload}, w.Workload.Validate()
}

// RingTally returns the counts of a run as a Tally.
func RingTally(c run.Counts) ksbf.Tally {
	return ksbf.Tally{Nodes: c.Sums[0], Leaves: c.Sums[1], Depth: c.Maxima[0], Sum: ksbf.FromWords(c.Sums[2:])}
}

func ringCounts(t *ksbf.Tally) run.Counts {
	return run.Counts{Sums: append([]int64{t.Nodes, t.Leaves}, t.Sum.DigitWords()...), Maxima: []int64{t.Depth}}
}

type ringProblem struct{ work ksbf.Workload }

func (p ringProblem) Encode() ([]byte, error) { return nil, nil }

// Names returns the names that package ksbf uses.
func (p ringProblem) Names() (scheme, termination string) { return ksbf.Schemes[0].Name, "round" }

// Rank makes a rank of KS-BF.
func (p ringProblem) Rank() (lb.Balancer, func() (run.Counts, []byte)) {
	r := ringRank{ksbf.NewRank(p.work)}
	return r, func() (run.Counts, []byte) { return ringCounts(r.Processor().Tally()), nil }
}

// Share makes the share of a sequential run: the computation in one loop.
func (p ringProblem) Share(search.Splitting, bool) search.Work {
	return ringLoop{ksbf.NewLoop(p.work)}
}

func (p ringProblem) Count(w search.Work) run.Counts { return ringCounts(w.(ringLoop).Tally()) }

func (p ringProblem) Witness(search.Work) []byte { return nil }

// ringLoop is a computation in one loop, as a share that cannot be split.
type ringLoop struct{ *ksbf.Loop }

func (l ringLoop) Expand(limit int) int { return l.ExecuteTasks(limit) }

func (l ringLoop) Split(dst []byte) ([]byte, bool) { return dst, false }

func (l ringLoop) Accept([]byte) error {
	return errors.New("a computation on a ring has received a piece: expected none, because it is never split")
}

// ringRank adapts a rank of KS-BF to package lb, so that spmd.DriveRank can drive and audit it.
type ringRank struct{ *ksbf.Rank }

// Wake does nothing: the protocol sets no alarm.
func (r ringRank) Wake(comm.Env) {}

// Halt requests the end of the run.
func (r ringRank) Halt(env comm.Env, why lb.Reason) { r.Rank.Halt(env, int64(why)) }

// State returns the state of the rank. A rank without tasks waits without a request.
func (r ringRank) State() lb.State {
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
func (r ringRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats returns the counts of the rank. No rank sends or refuses requests.
func (r ringRank) Stats() lb.Stats {
	sent, accepted, bytes := r.TrafficCounts()
	return lb.Stats{Expanded: r.Processor().Tally().Nodes, Grants: sent, Accepted: accepted, Bytes: bytes}
}

// Audit returns the sum of the credits of tasks. It adds numbers of equal credits bit by bit: 2^b
// credits of 2^−e are one credit of 2^(b−e). If b > e, there are more credits than ever existed;
// Audit then adds nothing, so that the audit fails as it should.
func (r ringRank) Audit() (a lb.Audit) {
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
func (r ringRank) Dump() string { return fmt.Sprintf("ks-bf: %v", r.Rank) }
