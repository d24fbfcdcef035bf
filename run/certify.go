package run

import (
	"errors"
	"fmt"
	"io"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/spmd"
)

// Certified is a Problem whose shares can log the nodes that they visit. All logs together prove
// that there is no witness.
type Certified interface {
	Problem
	// Logged reports whether the shares must keep logs. The answer is the same on all ranks.
	Logged() bool
	// LogTo lets a share that has not begun keep a log. It passes each block of the log, about 64
	// KiB, to sink. flush passes the last block to sink; the caller calls it when the share has
	// ended.
	LogTo(w search.Work, sink func(block []byte)) (flush func())
	// OpenSpool returns the spool that keeps these logs: proofs.Open. alone means that the spool
	// belongs to one rank only, and that its logs must be sent to rank 0.
	OpenSpool(alone bool) (Spool, error)
}

// Spool keeps the proof logs of the shares of this process, in a file of its own and in files
// beside the checkpoints. Package run/proofs implements it.
type Spool interface {
	// Sink returns the function that takes the blocks of one share's log.
	Sink() func(block []byte)
	// Failed returns the first error of writing the logs, or nil.
	Failed() error
	// Resume takes over, on rank 0, the logs of earlier runs up to a checkpoint.
	Resume(checkpoint string, upTo LogMark) error
	// HandOver sends the logs since the last checkpoint to rank 0.
	HandOver(t comm.Transport) error
	// Keep moves, on rank 0, all logs into the files of a checkpoint. It returns the length and
	// the checksum of these files.
	Keep(checkpoint string) (*LogMark, error)
	// Collect sends all logs to rank 0 at the end of the run.
	Collect(t comm.Transport) error
	// Logs returns all logs, on rank 0.
	Logs() []Stream
	// Close removes the files of the spool, except the files of a checkpoint.
	Close()
}

// Prover is a Workload that makes a proof from the logs of all shares. The proof is made on rank
// 0 after a run that has shown that there is no witness.
type Prover interface {
	Workload
	// Prove makes the proof. It returns ErrInterrupted if interrupted returns true before the proof
	// is complete, and then leaves nothing of the proof.
	Prove(logs []Stream, r *Result, interrupted func() bool) error
}

// ErrInterrupted is the error of an output whose writing was interrupted.
var ErrInterrupted = errors.New("interrupted")

// Stream is the log of one share.
type Stream interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// logged reports whether the shares of a problem must keep logs.
func logged(problem Problem) bool {
	c, ok := problem.(Certified)
	return ok && c.Logged()
}

// openSpool returns a spool if the shares of the problem must keep logs, and nil otherwise. alone
// means that the spool belongs to one rank only.
func openSpool(problem Problem, alone bool) (Spool, error) {
	if !logged(problem) {
		return nil, nil
	}
	logs, err := problem.(Certified).OpenSpool(alone)
	if err != nil {
		return nil, err // on an error the spool is nil, whatever OpenSpool returned
	}
	return logs, nil
}

// closeSpool closes a spool if there is one.
func closeSpool(logs Spool) {
	if logs != nil {
		logs.Close()
	}
}

// resumeLogs lets the spool of a search with --proof take over the logs of the earlier runs.
func (f *resumePoint) resumeLogs(logs Spool) error {
	switch {
	case logs == nil:
		return nil
	case f.Logs == nil:
		return fmt.Errorf("%s: the checkpoint is of a search without --proof: expected a search that had --proof from its beginning", f.file)
	}
	return logs.Resume(f.file, *f.Logs)
}

// watchLogs returns hooks that end the run early when its logs cannot be written.
func watchLogs(logs Spool, h Hooks) Hooks {
	if logs != nil {
		interrupted := h.Interrupted
		h.Interrupted = func() bool { return interrupted != nil && interrupted() || logs.Failed() != nil }
	}
	return h
}

// conclude makes the proof of a run, on the rank that has the result and all logs. If this is
// interrupted, it saves the complete search and its logs, so that a resumed run only has to make the proof.
// Its errors are added to the result's Trouble.
func conclude(logs Spool, w Workload, r *Result, h Hooks) {
	switch {
	case logs == nil:
	case logs.Failed() != nil:
		r.addTrouble(logs.Failed())
	case provable(r):
		h.noteProof(logs.Logs())
		err := w.(Prover).Prove(logs.Logs(), r, h.Interrupted)
		if !errors.Is(err, ErrInterrupted) {
			r.addTrouble(err)
		} else if r.saveUnproved != nil {
			r.saveUnproved(logs)
		}
	}
}

// longProof is the number of bytes of logs from which on the writing of a proof takes seconds.
const longProof = 1 << 28

// noteProof reports the answer before the proof is written, if the proof takes long.
func (h Hooks) noteProof(logs []Stream) {
	size := int64(0)
	for _, l := range logs {
		size += l.Size()
	}
	if size >= longProof && h.Note != nil {
		h.Note(fmt.Sprintf("the search is complete and has found no solution; writing the proof from %.1f GB of logs", float64(size)/1e9))
	}
}

// provable reports whether a run has shown that there is no witness: it has searched the whole tree
// without finding one, or a share has decided the search without one.
func provable(r *Result) bool {
	return r != nil && r.Witness == nil && (r.Why == lb.Exhausted || r.Why == lb.Decided)
}

// concludeOn sends the logs of ranks in different processes to rank 0, which makes the proof
// while the other ranks wait. Its errors are added to the result's Trouble.
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
	return t.Drain(nil) // the waiting ranks sleep between polls
}
