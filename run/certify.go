package run

import (
	"fmt"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/checkpoint"
	"treesplit/run/proofs"
	"treesplit/search"
	"treesplit/spmd"
)

// Certified is a Problem whose shares can keep logs of what they visit, which together
// prove that there is no witness.
type Certified interface {
	Problem
	// Logged reports whether they are to, the same on all ranks.
	Logged() bool
	// LogTo lets a share that has not begun keep a log, and gives each block of it, of some 64 KiB,
	// to sink. flush gives sink the rest; it is called when the share has ended.
	LogTo(w search.Work, sink func(block []byte)) (flush func())
}

// Prover is a Workload that makes a proof of the logs of all shares, on rank 0, when a
// run has gone through the whole tree, of so many nodes, without a witness.
type Prover interface {
	Workload
	Prove(logs []Stream, nodes int64, interrupted func() bool) error
}

// Stream is all that one share has logged.
type Stream = proofs.Stream

// logged reports whether the shares of a problem are to keep logs.
func logged(problem Problem) bool {
	c, ok := problem.(Certified)
	return ok && c.Logged()
}

// openSpool returns a spool if the shares of the problem are to keep logs, and else nil. alone
// says that it is of one rank only.
func openSpool(problem Problem, alone bool) (*proofs.Spool, error) {
	if !logged(problem) {
		return nil, nil
	}
	return proofs.Open(alone)
}

// openLogs opens what the runs before have logged, where the search is to be proved.
func (f *resumePoint) openLogs(problem Problem) (err error) {
	if !logged(problem) {
		return nil
	}
	if f.Header.Logs == nil {
		return fmt.Errorf("%s: a checkpoint of a search without --proof: expected one that had it from the beginning on", f.file)
	}
	f.logs, err = checkpoint.OpenLogs(checkpoint.LogsOf(f.file), *f.Header.Logs)
	return err
}

// watchLogs lets a run end early when its logs cannot be kept.
func watchLogs(logs *proofs.Spool, h Hooks) Hooks {
	if logs != nil {
		interrupted := h.Interrupted
		h.Interrupted = func() bool { return interrupted != nil && interrupted() || logs.Failed() != nil }
	}
	return h
}

// conclude makes the proof of a run on the rank that has the result and all logs. What goes
// wrong is the result's trouble.
func conclude(logs *proofs.Spool, w Workload, r *Result, h Hooks) {
	switch {
	case logs == nil:
	case logs.Failed() != nil:
		r.addTrouble(logs.Failed())
	case provable(r):
		r.addTrouble(w.(Prover).Prove(logs.Logs(), r.Expanded, h.Interrupted))
	}
}

// provable reports whether a run has found that there is no witness.
func provable(r *Result) bool { return r != nil && r.Witness == nil && r.Why == lb.Exhausted }

// concludeOn brings the logs of ranks in different processes to rank 0, which makes the
// proof, while the others wait. What goes wrong with them is the result's trouble.
func concludeOn(t comm.Transport, logs *proofs.Spool, w Workload, r *Result, h Hooks) error {
	if logs == nil {
		return nil
	}
	err := spmd.AgreeOnError(t, logs.Failed())
	wanted := []int64{0}
	if err == nil && provable(r) {
		wanted[0] = 1
	}
	if err := t.Max(wanted); err != nil {
		return err
	}
	if wanted[0] == 1 {
		err = logs.Collect(t)
	}
	if r != nil && err != nil {
		r.addTrouble(err)
	} else if r != nil {
		conclude(logs, w, r, h)
	}
	return t.Drain(nil) // which naps while it waits, as Agree does
}
