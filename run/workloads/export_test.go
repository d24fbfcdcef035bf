package workloads

// PickedRule returns the rule that auto has picked, and its reasons.
func (w *SAT) PickedRule() (rule string, choice *Picked) { return w.picked, w.choice }
