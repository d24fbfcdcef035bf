package lookahead

import (
	"testing"

	"treesplit/sat"
)

// lightFormula returns a formula with models. Variable 1 and variables 2 to 9, of which variable 1
// implies one by a clause, are false in all of them. The literals of this clause have weights whose
// product is 0 in float32.
func lightFormula() *sat.Formula {
	f, last := new(sat.Formula), int32(0)
	takeVariables := func(n int) (list []int32) {
		for range n {
			last++
			list = append(list, last)
		}
		return list
	}
	implied := append([]int32{-1}, takeVariables(9)[1:]...)
	f.AddClause(implied...)
	// If an implied variable is true, all 16 assignments of four variables are excluded.
	four := takeVariables(4)
	for _, u := range implied[1:] {
		for signs := range 16 {
			clause := []int32{-u}
			for i, v := range four {
				clause = append(clause, v*int32(1-2*(signs>>i&1)))
			}
			f.AddClause(clause...)
		}
	}
	// Nine heavy variables, which can all be true.
	heavy := takeVariables(9)
	for i, u := range heavy {
		for j, v := range heavy[:i] {
			for _, x := range heavy[:j] {
				f.AddClause(u, v, -x)
				f.AddClause(-u, -v, x)
			}
		}
	}
	for sign := int32(-1); sign <= 1; sign += 2 {
		var clause []int32
		for _, u := range heavy {
			clause = append(clause, sign*u)
		}
		clause[8] = -clause[8]
		f.AddClause(clause...)
	}
	// With many other variables the heavy ones keep the largest weight.
	for range 200 {
		f.AddClause(takeVariables(4)...)
	}
	return f
}

// A trial that makes a clause of light literals shorter is no autarky, so its literal is not made
// true.
func TestLightClauses(t *testing.T) {
	f := lightFormula()
	rule := New(f)
	w := rule.newWalk()
	w.stepDown(sat.NoLiteral)
	w.weighLiterals()
	w.now = 2
	first := rule.names.FromDIMACS(1)
	w.stamp[first], w.stamp[first^1] = w.now, w.now+1
	if product := float32(w.multiplyWeights(0) * w.factor[longest]); product != 0 {
		t.Fatalf("the clause of variable 1 has the score %v: expected a formula in which it is 0", product)
	}
	w.stamp[first], w.stamp[first^1] = 0, 0
	if score, ok := w.tryLiteral(first); !ok || !(score > 0) {
		t.Errorf("the trial of variable 1 has the score %v (%v): expected a positive number", score, ok)
	}
	s := sat.NewSearch(rule, sat.Options{Root: true})
	for !s.Empty() && !s.Decided() {
		s.Expand(1 << 10)
	}
	if s.Model() == nil {
		t.Fatal("the search finds no model")
	}
	if err := f.CheckModel(s.Model()); err != nil {
		t.Error(err)
	}
}
