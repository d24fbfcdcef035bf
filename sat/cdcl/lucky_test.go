package cdcl

import (
	"testing"

	"treesplit/sat"
)

// Formulas with a model that one of the tries finds need no conflict.
func TestLuckyPhases(t *testing.T) {
	const n = 200
	for name, clause := range map[string]func(v int32) []int32{
		"all true":              func(v int32) []int32 { return []int32{v, -v - 1, -v - 2} },
		"all false":             func(v int32) []int32 { return []int32{-v, v + 1, v + 2} },
		"alternating, forwards": func(v int32) []int32 { return []int32{-v, -v - 1} },
	} {
		f := new(sat.Formula)
		for v := range int32(n) {
			f.AddClause(clause(v + 1)...)
		}
		s := New(Options{})
		s.AddFormula(f)
		if got := s.Solve(NoLimit); got != Satisfiable || s.Stats().Conflicts > 0 {
			t.Errorf("%s: %v, %+v", name, got, s.Stats())
		}
		if err := f.CheckModel(s.Model(f.Variables)); err != nil {
			t.Error(name, err)
		}
	}
}
