package run

import (
	"errors"
	"fmt"

	"treesplit/comm"
	"treesplit/spmd"
)

// ResumeAuto is a value of Plan.Resume: resume the checkpoint in Plan.Checkpoint if it exists,
// and otherwise start at the beginning.
const ResumeAuto = "auto"

// checkNames returns an error if the checkpoint fields of the plan contradict each other. The
// error is an InputError.
func (p Plan) checkNames() error {
	if err := p.checkStore(); err != nil {
		return err
	}
	switch {
	case p.Resume == ResumeAuto && p.Checkpoint == "":
		return FlagError("resume", errors.New("auto: expected --checkpoint FILE as well (for a file named auto write ./auto)"))
	case p.Restart && p.Checkpoint == "":
		return FlagError("restart", errors.New("nothing to overwrite: expected --checkpoint FILE as well"))
	case p.Restart && p.Resume == ResumeAuto:
		return FlagError("restart", errBoth)
	}
	return nil
}

var errBoth = errors.New("--resume continues the checkpoint that --restart overwrites: expected one of the two")

// resumesOwn reports whether the run resumes the file in which it is saved.
func (p Plan) resumesOwn() bool {
	return p.Checkpoint != "" && (p.Resume == ResumeAuto || p.Resume != "" && p.Store.IsSame(p.Resume, p.Checkpoint))
}

// reserveName reserves the name of a run's checkpoint for this run, on the rank that writes it.
// It returns an error if the name cannot be written, if another run writes it, or if writing
// would lose a file. The caller must call release. The error is an InputError.
func reserveName(p Plan) (release func(), err error) {
	if p.Checkpoint == "" {
		return releaseNothing, nil
	}
	if err := p.checkStore(); err != nil {
		return releaseNothing, err
	}
	if p.Restart && p.resumesOwn() {
		return releaseNothing, FlagError("restart", errBoth)
	}
	found, err := p.Store.Find(p.Checkpoint)
	if err == nil {
		release, err = p.Store.Reserve(p.Checkpoint)
	}
	if err != nil {
		return releaseNothing, FlagError("checkpoint", err)
	}
	if found != "" && !p.Restart && !p.resumesOwn() {
		release()
		return releaseNothing, FlagError("checkpoint", fmt.Errorf("%s (expected --resume auto to resume it, --restart to overwrite it, or another name)", found))
	}
	return release, nil
}

func releaseNothing() {}

// reserveNameOn is reserveName on rank 0; all ranks return its error.
func reserveNameOn(t comm.Transport, p Plan) (release func(), err error) {
	release = releaseNothing
	if p.Checkpoint == "" {
		return release, nil
	}
	if t.Rank() == 0 {
		release, err = reserveName(p)
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		release()
		return releaseNothing, InputError{err}
	}
	return release, nil
}

// resumedFile returns the file that the run resumes, or "".
func (p Plan) resumedFile() (string, error) {
	if p.Resume != ResumeAuto {
		return p.Resume, nil
	}
	found, err := p.Store.Find(p.Checkpoint)
	if err != nil || found == "" {
		return "", err
	}
	return p.Checkpoint, nil
}

// tellStart reports what a run begins with, on the rank that knows it.
func (h Hooks) tellStart(p Plan, problem Problem, from *resumePoint) {
	if from != nil && h.Resumed != nil {
		h.Resumed(from.Totals)
	}
	if loses, _ := losesDeposits(p, problem); loses && p.Checkpoint != "" && h.SavesLose != nil {
		h.SavesLose(fmt.Sprintf(losesAttempts+": expected another scheme, such as rp", p.Scheme))
	}
	switch {
	case p.Resume != ResumeAuto || h.Note == nil:
	case from == nil:
		h.Note(fmt.Sprintf("there is no checkpoint in %s; the search starts at the beginning", p.Checkpoint))
	default:
		h.Note(fmt.Sprintf("the search resumes from %s: %s", from.file, from.SoFar()))
	}
}
