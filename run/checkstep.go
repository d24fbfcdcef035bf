package run

// StepChecker is a Problem that recognises counts that no run of it has. A checkpoint may
// say anything, even where its checksum is right, and a run that resumes it reports its
// counts and its witness as its own.
type StepChecker interface {
	Problem
	// CheckStep refuses the counts and the witness of a step that is over or, unless whole is
	// set, was interrupted. There are as many counts as Count returns.
	CheckStep(c Counts, witness []byte, whole bool) error
}

// checkStep is CheckStep where there is one.
func checkStep(problem Problem, c Counts, witness []byte, whole bool) error {
	if s, ok := problem.(StepChecker); ok {
		return s.CheckStep(c, witness, whole)
	}
	return nil
}
