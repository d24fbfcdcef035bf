package run

import "fmt"

// checkContents checks the checkpoint against the problem.
func (f *resumePoint) checkContents(p Plan, problem Problem) error {
	if f.Complete && len(f.Pieces) > 0 {
		return fmt.Errorf("a complete search has %d remaining pieces: expected none", len(f.Pieces))
	}
	if err := f.locateStep(problem); err != nil {
		return err
	}
	return f.measurePieces(p)
}

// nameFile adds to an error of the contents the name of the file, or, if an older file was read, the
// warning, which names both files.
func (f *resumePoint) nameFile(err error) error {
	if f.warning != nil {
		return fmt.Errorf("%w: %w", f.warning, err)
	}
	return fmt.Errorf("%s: %w", f.file, err)
}

// warnOfResumed warns, on the rank that has read the checkpoint, that the checkpoint was damaged, or that this run
// ends its proof, because it has no logs.
func (h Hooks) warnOfResumed(from *resumePoint, logs Spool) {
	if from == nil || h.Warn == nil {
		return
	}
	if from.warning != nil {
		h.Warn(0, from.warning.Error())
	}
	if from.Logs != nil && logs == nil {
		h.Warn(0, from.file+": the search had --proof before. This run has no --proof, so a proof cannot be written after its next checkpoint")
	}
}
