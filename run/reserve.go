package run

import (
	"errors"
	"fmt"

	"treesplit/comm"
	"treesplit/internal/outfile"
	"treesplit/run/checkpoint"
	"treesplit/spmd"
)

// ResumeAuto is a Plan.Resume: go on from the checkpoint in Plan.Checkpoint if there is one, and
// else start at the beginning.
const ResumeAuto = "auto"

// checkNames refuses plans for checkpoints that contradict themselves; the error is an
// InputError.
func (p Plan) checkNames() error {
	switch {
	case p.Resume == ResumeAuto && p.Checkpoint == "":
		return FlagError("resume", errors.New("auto: expected --checkpoint with it, which names the file (or ./auto for a file of that name)"))
	case p.Restart && p.Checkpoint == "":
		return FlagError("restart", errors.New("nothing to overwrite: expected --checkpoint with it, which names the file"))
	case p.Restart && p.Resume == ResumeAuto:
		return FlagError("restart", errBoth)
	}
	return nil
}

var errBoth = errors.New("--resume goes on from the checkpoint that --restart gives up: expected one of the two")

// resumesOwn reports whether the run resumes the file that it is saved in.
func (p Plan) resumesOwn() bool {
	return p.Checkpoint != "" && (p.Resume == ResumeAuto || p.Resume != "" && outfile.IsSameFile(p.Resume, p.Checkpoint))
}

// reserveNames takes the names of a run's checkpoint for this run, on the rank that writes it: it
// refuses names that cannot be written, that another run writes, and that stand for something
// that would be lost. The error is an InputError.
func reserveNames(p Plan) (held *outfile.NameLock, err error) {
	if p.Checkpoint == "" {
		return nil, nil
	}
	if p.Restart && p.resumesOwn() {
		return nil, FlagError("restart", errBoth)
	}
	found, err := checkpoint.Find(p.Checkpoint)
	if err == nil {
		held, err = outfile.AcquireLock(p.Checkpoint)
	}
	if err == nil {
		err = checkpoint.Try(p.Checkpoint) // rather now than when it is needed
	}
	if err == nil && found != nil && !p.Restart && !p.resumesOwn() {
		err = fmt.Errorf("%s: there is %v (expected --resume auto to go on from it, --restart to overwrite it, or another name)", found.Path, found)
	}
	if err != nil {
		held.ReleaseLock()
		return nil, FlagError("checkpoint", err)
	}
	return held, nil
}

// reserveNamesOn is reserveNames on rank 0; all ranks return its error.
func reserveNamesOn(t comm.Transport, p Plan) (held *outfile.NameLock, err error) {
	if p.Checkpoint == "" {
		return nil, nil
	}
	if t.Rank() == 0 {
		held, err = reserveNames(p)
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		held.ReleaseLock()
		return nil, InputError{err}
	}
	return held, nil
}

// resumedFile returns the file that the run resumes, or "".
func (p Plan) resumedFile() (string, error) {
	if p.Resume != ResumeAuto {
		return p.Resume, nil
	}
	found, err := checkpoint.Find(p.Checkpoint)
	if err != nil || found == nil {
		return "", err
	}
	return p.Checkpoint, nil
}

// tellStart reports what a run with ResumeAuto begins with, on the rank that knows.
func (h Hooks) tellStart(p Plan, from *resumePoint) {
	switch {
	case p.Resume != ResumeAuto || h.Note == nil:
	case from == nil:
		h.Note(fmt.Sprintf("no checkpoint in %s: starting at the beginning", p.Checkpoint))
	default:
		h.Note(fmt.Sprintf("going on from %s: %s", from.file, from.SoFar()))
	}
}
