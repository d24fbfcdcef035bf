package drat

// A check asks Options.Interrupted while it reads the proof and while it checks steps. It must do both: the
// proof may be a pipe that is silent for hours, and the steps of one read may take minutes.

// interruptSteps is the number of steps between two calls of Options.Interrupted. A lemma of a large proof can
// take milliseconds.
const interruptSteps = 1 << 6

// interruptedAt asks, at some numbers of steps, whether to end the check.
func (o Options) interruptedAt(steps int64) bool {
	return o.Interrupted != nil && steps%interruptSteps == 0 && o.Interrupted()
}
