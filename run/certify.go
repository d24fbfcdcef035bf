package run

import (
	"fmt"
	"io"

	"treesplit/comm"
	"treesplit/lb"
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
	// OpenSpool returns what keeps these logs: proofs.Open. alone says that the spool is of one
	// rank only, whose logs are to be brought to rank 0.
	OpenSpool(alone bool) (Spool, error)
}

// Spool keeps what the shares of this process log for a proof, in a file of its own and beside
// checkpoints. Package run/proofs has one.
type Spool interface {
	// Sink returns what takes the blocks of one share's log.
	Sink() func(block []byte)
	// Failed returns the error that writing the logs has met, or nil.
	Failed() error
	// Resume takes over, on rank 0, what the runs before had logged up to a checkpoint.
	Resume(checkpoint string, upTo LogMark) error
	// HandOver brings what was logged since the last checkpoint to rank 0.
	HandOver(t comm.Transport) error
	// Keep moves, on rank 0, all that was logged into what goes with a checkpoint, and says how far that has come.
	Keep(checkpoint string) (*LogMark, error)
	// Collect brings all logs to rank 0, at the end.
	Collect(t comm.Transport) error
	// Logs returns all logs, on rank 0.
	Logs() []Stream
	// Close gives the files up, except those that go with a checkpoint.
	Close()
}

// Prover is a Workload that makes a proof of the logs of all shares, on rank 0, when a
// run has gone through the whole tree, of so many nodes, without a witness.
type Prover interface {
	Workload
	Prove(logs []Stream, nodes int64, interrupted func() bool) error
}

// Stream is all that one share has logged.
type Stream interface {
	io.ReaderAt
	Size() int64 // bytes
}

// logged reports whether the shares of a problem are to keep logs.
func logged(problem Problem) bool {
	c, ok := problem.(Certified)
	return ok && c.Logged()
}

// openSpool returns a spool if the shares of the problem are to keep logs, and else nil. alone
// says that it is of one rank only.
func openSpool(problem Problem, alone bool) (Spool, error) {
	if !logged(problem) {
		return nil, nil
	}
	logs, err := problem.(Certified).OpenSpool(alone)
	if err != nil {
		return nil, err // and no spool, whatever came with the error
	}
	return logs, nil
}

// closeSpool closes a spool if there is one.
func closeSpool(logs Spool) {
	if logs != nil {
		logs.Close()
	}
}

// resumeLogs lets the spool of a search that is to be proved take over what the runs before have logged.
func (f *resumePoint) resumeLogs(logs Spool) error {
	switch {
	case logs == nil:
		return nil
	case f.Logs == nil:
		return fmt.Errorf("%s: a checkpoint of a search without --proof: expected one that had it from the beginning on", f.file)
	}
	return logs.Resume(f.file, *f.Logs)
}

// watchLogs lets a run end early when its logs cannot be kept.
func watchLogs(logs Spool, h Hooks) Hooks {
	if logs != nil {
		interrupted := h.Interrupted
		h.Interrupted = func() bool { return interrupted != nil && interrupted() || logs.Failed() != nil }
	}
	return h
}

// conclude makes the proof of a run on the rank that has the result and all logs. What goes
// wrong is the result's trouble.
func conclude(logs Spool, w Workload, r *Result, h Hooks) {
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
func concludeOn(t comm.Transport, logs Spool, w Workload, r *Result, h Hooks) error {
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
