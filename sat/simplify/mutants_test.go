package simplify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
)

// mutants are mistakes of elimination and vivification. The checks of verify must find each of
// them within 500 formulas; otherwise the checks are broken. A mutant may damage the state while it
// runs, or the result.
var mutants = map[string]struct {
	opt    Options
	fault  func(s *simplifier, at stage)
	damage func(r *Result)
}{
	"a resolvent is dropped":       {opt: Options{Eliminate: true}, fault: dropResolvent},
	"a gate has too few clauses":   {opt: Options{Eliminate: true}, fault: dropGateClause},
	"a clause is not stored":       {opt: Options{Eliminate: true}, fault: forgetStored},
	"the opposite default":         {opt: Options{Eliminate: true}, fault: negateDefault},
	"steps are undone forwards":    {opt: Options{Eliminate: true}, damage: func(r *Result) { slices.Reverse(r.steps) }},
	"clauses of input are deleted": {opt: Options{Eliminate: true}, fault: claimLemma},
	"a needed clause is obsolete":  {opt: Options{Eliminate: true}, fault: listNeeded},
	"a literal is vivified":        {opt: Options{Vivify: true}, fault: dropVivified},
}

// dropResolvent removes the last clause once a variable is eliminated.
func dropResolvent(s *simplifier, at stage) {
	if last := len(s.clauses) - 1; at == variableRemoved && s.clauses[last].size > 0 {
		s.eliminator.clauses[last].written = 0
		s.eliminator.dropClause(last)
	}
}

// dropGateClause forgets a clause of each gate.
func dropGateClause(s *simplifier, at stage) {
	g := &s.eliminator.gate
	if i := slices.Index(g.positive, true); at == gateFound && g.found && i >= 0 {
		g.positive[i] = false
	}
}

// dropVivified drops the last literal of each shorter clause.
func dropVivified(s *simplifier, at stage) {
	if v := &s.vivifier; at == lemmaDerived && len(v.lemma) < len(v.literal) && len(v.lemma) > 1 {
		v.lemma = v.lemma[:len(v.lemma)-1]
	}
}

// forgetStored drops a clause that restores the eliminated variable.
func forgetStored(s *simplifier, at stage) {
	if n := len(s.steps); at == variableRemoved && n > 1 && s.steps[n-2].r < always {
		s.steps = append(s.steps[:n-2], s.steps[n-1])
	}
}

// negateDefault gives the eliminated variable the value that satisfies the stored clauses.
func negateDefault(s *simplifier, at stage) {
	if n := len(s.steps); at == variableRemoved {
		s.steps[n-1].l ^= 1
	}
}

// claimLemma takes all clauses for lemmas.
func claimLemma(s *simplifier, at stage) {
	for c := range s.clauses {
		if at == gateFound {
			s.clauses[c].input = false
		}
	}
}

// listNeeded lists a clause of the input as obsolete that is still in the formula.
func listNeeded(s *simplifier, at stage) {
	for c := range s.clauses {
		if at == variableRemoved && s.clauses[c].size > 0 && s.clauses[c].input {
			s.listObsolete(c)
			return
		}
	}
}

// The checks of these tests find mistakes.
func TestMutantsAreFound(t *testing.T) {
	for name, m := range mutants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(f *sat.Formula, opt Options) *Result {
				s := newSimplifier(f, opt)
				if m.fault != nil {
					s.fault = func(at stage) { m.fault(s, at) }
				}
				r := s.simplifyFormula(f)
				if m.damage != nil {
					m.damage(r)
				}
				return r
			}
			rng := rand.New(rand.NewPCG(9, 9))
			for range 500 {
				if verifyDamaged(mixed(rng), m.opt, run) != nil {
					return
				}
			}
			t.Error("not found in 500 formulas")
		})
	}
}

// verifyDamaged verifies a simplification. A panic is an error.
func verifyDamaged(f *sat.Formula, opt Options, run func(*sat.Formula, Options) *Result) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return verifyRun(f, opt, run)
}
