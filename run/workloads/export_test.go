package workloads

// PickedRule returns the rule that auto has picked, and its reasons.
func (w *SAT) PickedRule() (rule string, choice *Picked) { return w.picked, w.choice }

// SetLimits makes auto pick cdcl for trees above a time, after a try of the given ticks.
func (w *SAT) SetLimits(seconds float64, ticks int64) { w.limits = pickLimits{seconds, seconds, ticks} }
