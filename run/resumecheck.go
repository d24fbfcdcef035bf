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

// warnOfDamage warns that the checkpoint was damaged, on the rank that has read it.
func (h Hooks) warnOfDamage(from *resumePoint) {
	if from != nil && from.warning != nil && h.Warn != nil {
		h.Warn(0, from.warning.Error())
	}
}
