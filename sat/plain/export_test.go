package plain

import "treesplit/sat"

// WithRows returns a rule whose procedures keep the sums of n nodes of a path.
func WithRows(rule sat.Rule, rows int) sat.Rule {
	r := *rule.(*Rule)
	r.rows = rows
	return &r
}

// Weights returns the weights by number of free literals.
func Weights(rule sat.Rule) []uint32 { return rule.(*Rule).weights }
