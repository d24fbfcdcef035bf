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

// KSBF is a computation that evolves on a ring of ranks under KS-BF (package ksbf). Its
// problem is its parameters, which every rank has from the command line.
type KSBF struct{ Workload ksbf.Workload }

// Load checks the parameters.
func (w *KSBF) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode has nothing to decode.
func (w *KSBF) Decode([]byte) (run.Problem, error) {
	return ksbfProblem{w.Workload}, w.Workload.Validate()
}

// KSBFTally reads the numbers of a run.
func KSBFTally(c run.Counts) ksbf.Tally {
	return ksbf.Tally{Nodes: c.Sums[0], Leaves: c.Sums[1], Depth: c.Maxima[0], Sum: ksbf.FromWords(c.Sums[2:])}
}

func ksbfCounts(t *ksbf.Tally) run.Counts {
	return run.Counts{Sums: append([]int64{t.Nodes, t.Leaves}, t.Sum.DigitWords()...), Maxima: []int64{t.Depth}}
}

type ksbfProblem struct{ work ksbf.Workload }

func (p ksbfProblem) Encode() ([]byte, error) { return nil, nil }

// Names are the words of package ksbf.
func (p ksbfProblem) Names() (scheme, termination string) { return ksbf.Schemes[0].Name, "round" }

// Rank makes a rank of KS-BF.
func (p ksbfProblem) Rank() (lb.Balancer, func() (run.Counts, []byte)) {
	r := ksbfRank{ksbf.NewRank(p.work)}
	return r, func() (run.Counts, []byte) { return ksbfCounts(r.Processor().Tally()), nil }
}

// Share is for runs on one rank without balancing, which take the root.
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

// ksbfRank is a rank of KS-BF in the terms of package lb, so that spmd.DriveRank drives and
// audits it like any other.
type ksbfRank struct{ *ksbf.Rank }

// Wake does nothing: the protocol sets no alarm.
func (r ksbfRank) Wake(comm.Env) {}

// Halt asks for the end of the run.
func (r ksbfRank) Halt(env comm.Env, why lb.Reason) { r.Rank.Halt(env, int64(why)) }

// State says where the rank stands; a rank without tasks waits and asks nobody.
func (r ksbfRank) State() lb.State {
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
func (r ksbfRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats are the rank's counts; nobody asks and nobody refuses.
func (r ksbfRank) Stats() lb.Stats {
	sent, accepted, bytes := r.TrafficCounts()
	return lb.Stats{Expanded: r.Processor().Tally().Nodes, Grants: sent, Accepted: accepted, Bytes: bytes}
}

// Audit adds up the credits of tasks. Numbers of credits are added bit by bit: 2^b
// credits of 2^−e are one of 2^(b−e). (Where b > e there are more than ever existed,
// and adding nothing fails the audit as it should.)
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

// Dump describes the rank.
func (r ksbfRank) Dump() string { return fmt.Sprintf("ks-bf: %v", r.Rank) }
