package plain

import "treesplit/sat"

// WithRows returns a rule whose procedures keep the sums of so many nodes of a path.
func WithRows(rule sat.Rule, rows int) sat.Rule {
	r := *rule.(*Rule)
	r.rows = rows
	return &r
}
