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

// Ring is a computation that evolves on a ring of ranks under KS-BF (package ksbf). Its
// problem is its parameters, which every rank has from the command line.
type Ring struct{ Workload ksbf.Workload }

// Load checks the parameters.
func (w *Ring) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode has nothing to decode.
func (w *Ring) Decode([]byte) (run.Problem, error) {
	return ringProblem{w.Workload}, w.Workload.Validate()
}

// RingTally reads the numbers of a run.
func RingTally(c run.Counts) ksbf.Tally {
	return ksbf.Tally{Nodes: c.Sums[0], Leaves: c.Sums[1], Depth: c.Maxima[0], Sum: ksbf.FromWords(c.Sums[2:])}
}

func ringCounts(t *ksbf.Tally) run.Counts {
	return run.Counts{Sums: append([]int64{t.Nodes, t.Leaves}, t.Sum.DigitWords()...), Maxima: []int64{t.Depth}}
}

type ringProblem struct{ work ksbf.Workload }

func (p ringProblem) Encode() ([]byte, error) { return nil, nil }

// Names are the words of package ksbf.
func (p ringProblem) Names() (scheme, termination string) { return ksbf.Schemes[0].Name, "round" }

// Rank makes a rank of KS-BF.
func (p ringProblem) Rank() (lb.Balancer, func() (run.Counts, []byte)) {
	r := ringRank{ksbf.NewRank(p.work)}
	return r, func() (run.Counts, []byte) { return ringCounts(r.Processor().Tally()), nil }
}

// Share is for runs on one rank without balancing, which take the root.
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
	return errors.New("a piece of a computation on a ring: expected none, it is not split")
}

// ringRank is a rank of KS-BF in the terms of package lb, so that spmd.DriveRank drives and
// audits it like any other.
type ringRank struct{ *ksbf.Rank }

// Wake does nothing: the protocol sets no alarm.
func (r ringRank) Wake(comm.Env) {}

// Halt asks for the end of the run.
func (r ringRank) Halt(env comm.Env, why lb.Reason) { r.Rank.Halt(env, int64(why)) }

// State says where the rank stands; a rank without tasks waits and asks nobody.
func (r ringRank) State() lb.State {
	return protocolState(r.Rank)
}

// protocolState is the state of a rank of a protocol in which nobody asks for work.
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

// Reason says why the run is over.
func (r ringRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats are the rank's counts; nobody asks and nobody refuses.
func (r ringRank) Stats() lb.Stats {
	sent, accepted, bytes := r.TrafficCounts()
	return lb.Stats{Expanded: r.Processor().Tally().Nodes, Grants: sent, Accepted: accepted, Bytes: bytes}
}

// Audit adds up the credits of tasks. Numbers of credits are added bit by bit: 2^b
// credits of 2^−e are one of 2^(b−e). (Where b > e there are more than ever existed,
// and adding nothing fails the audit as it should.)
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

// Dump describes the rank.
func (r ringRank) Dump() string { return fmt.Sprintf("ks-bf: %v", r.Rank) }
