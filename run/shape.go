package experiment

import (
	"treesplit/sat"
	"treesplit/search"
	"treesplit/uts"
)

// ShapeOf returns the tree of a problem without what is searched in it, where that is
// known to give the same: of UTS, and of formulas under rule paper, past all solutions.
func ShapeOf(problem Problem) (s search.Shape, ok bool) {
	switch p := problem.(type) {
	case utsProblem:
		s, err := uts.ShapeOf(p.params)
		return s, err == nil
	case satProblem:
		if rule, ok := p.rule.(*sat.Paper); ok {
			return rule.Shape(), true
		}
	}
	return s, false
}

// Loaded is the workload of a problem that is there.
type Loaded struct{ Problem }

// Load returns the problem.
func (l Loaded) Load() (Problem, error) { return l.Problem, nil }

// Decode returns the problem, which is every process's own.
func (l Loaded) Decode([]byte) (Problem, error) { return l.Problem, nil }
