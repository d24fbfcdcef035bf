package workloads

import "treesplit/sat"

// Picked is the choice of auto.
type Picked struct {
	Why string `json:"why"`
}

// pickRule picks the rule.
func (w *SAT) pickRule(f *sat.Formula) *sat.Formula {
	w.picked, w.choice = "lookahead", &Picked{Why: "default"}
	return f
}
