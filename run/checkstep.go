package run

// StepChecker is a Problem that recognises impossible counts. A checkpoint with a correct
// checksum may still hold wrong counts, and a run that resumes it reports these counts and this
// witness as its own.
type StepChecker interface {
	Problem
	// CheckStep returns an error if no run of the problem can have these counts and this witness.
	// whole means that the step is complete; otherwise it was interrupted. The number of counts
	// is the number that Count returns.
	CheckStep(c Counts, witness []byte, whole bool) error
}

// checkStep calls CheckStep if the problem has it.
func checkStep(problem Problem, c Counts, witness []byte, whole bool) error {
	if s, ok := problem.(StepChecker); ok {
		return s.CheckStep(c, witness, whole)
	}
	return nil
}
