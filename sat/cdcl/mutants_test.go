package cdcl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// mutants are mistakes of the engine. The checks of models and proofs must find each of them
// within 200 formulas, without the hints; otherwise the checks are broken.
var mutants = map[string]func(s *Solver) func(stage){
	"wrong reason":     giveWrongReason,
	"lost watch":       loseWatch,
	"bad minimisation": minimizeTooMuch,
	"bad shrinking":    shrinkTooMuch,
	"unsound lemma":    shortenLemma,
}

// matrixMutants are mistakes about parities. The checks must find each of them within 200 formulas of
// parities.
var matrixMutants = map[string]func(s *Solver) func(stage){
	"wrong reason of a row": giveWrongRow,
	"lost backtracking":     loseBacktracking,
	"swapped matrix":        swapColumns,
}

// giveWrongRow gives a literal that a row has forced another row of the matrix, with other variables.
func giveWrongRow(s *Solver) func(stage) {
	return func(at stage) {
		for _, l := range s.trail[:s.assigned] {
			if x := &s.vars[l>>1]; at == learnt && x.reason >= firstRow {
				x.reason = firstRow + (x.reason-firstRow+1)%ref(len(s.rowMatrix))
			}
		}
	}
}

// loseBacktracking keeps the values in the matrices when the search backtracks.
func loseBacktracking(s *Solver) func(stage) {
	return func(at stage) {
		for i := s.entered; at == learnt && i < len(s.trail); i++ {
			if p := s.places; p != nil && p[s.trail[i]>>1].matrix >= 0 && s.values[s.trail[i]] == 0 {
				s.matrices[p[s.trail[i]>>1].matrix].Assign(p[s.trail[i]>>1].column, s.trail[i]&1 == 0)
			}
		}
	}
}

// swapColumns exchanges the columns of two variables.
func swapColumns(s *Solver) func(stage) {
	return func(at stage) {
		if at == beginning && len(s.places) > 1 {
			s.places[0], s.places[1] = s.places[1], s.places[0]
		}
	}
}

// giveWrongReason gives the literal that the lemma forces a reason of two of its literals.
func giveWrongReason(s *Solver) func(stage) {
	return func(at stage) {
		if at == learnt && len(s.lemma) > 2 {
			s.vars[s.lemma[0]>>1].reason = binaryFlag | ref(s.lemma[1])
		}
	}
}

// loseWatch removes the watches of every third clause.
func loseWatch(s *Solver) func(stage) {
	return func(at stage) {
		n := 0
		for r := ref(1); at == beginning && int(r) < len(s.arena); r = s.after(r) {
			if n++; n%3 == 0 {
				s.unwatchClause(r)
			}
		}
	}
}

// minimizeTooMuch removes a literal if any literal of its reason is in the lemma, instead of all.
func minimizeTooMuch(s *Solver) func(stage) {
	return func(at stage) {
		if at != minimized {
			return
		}
		kept := 1
		for _, l := range s.lemma[1:] {
			if !s.hasSeenAntecedent(l) {
				s.lemma[kept] = l
				kept++
			}
		}
		s.lemma = s.lemma[:kept]
	}
}

func (s *Solver) hasSeenAntecedent(l lit) bool {
	if s.vars[l>>1].reason == none {
		return false
	}
	for q := range s.clauseLiterals(s.vars[l>>1].reason) {
		if q != l^1 && s.marks[q>>1]&seenMark != 0 {
			return true
		}
	}
	return false
}

// shrinkTooMuch replaces the literals of each level by its decision, also if their reasons have other
// literals of lower levels.
func shrinkTooMuch(s *Solver) func(stage) {
	return func(at stage) {
		for i := 1; at == minimized && i < len(s.lemma); i++ {
			level := s.vars[s.lemma[i]>>1].level
			s.lemma[i] = s.trail[s.control[level-1]] ^ 1
			s.lemma = append(s.lemma[:i+1], slices.DeleteFunc(s.lemma[i+1:], func(l lit) bool { return s.vars[l>>1].level == level })...)
		}
	}
}

// shortenLemma drops the last literal of each lemma.
func shortenLemma(s *Solver) func(stage) {
	return func(at stage) {
		if at == minimized && len(s.lemma) > 1 {
			s.lemma = s.lemma[:len(s.lemma)-1]
		}
	}
}

// decideDamaged decides a formula by a solver with a mistake. A panic is an error.
func decideDamaged(f *sat.Formula, sums Parities, fault func(s *Solver) func(stage)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r := &record{}
	s := New(Options{Proof: r, Parities: sums})
	s.fault = fault(s)
	_, err = decideWith(s, r, f)
	return err
}

func TestMutantsAreCaught(t *testing.T) {
	for name, fault := range mutants {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			for i := range 200 {
				f := ruletest.RandomFormula(rng, 30, 120, 3)
				if err := decideDamaged(f, NoParities, fault); err != nil {
					t.Logf("caught by formula %d: %.100v", i+1, err)
					return
				}
			}
			t.Error("not caught by 200 formulas")
		})
	}
}

func TestMatrixMutantsAreCaught(t *testing.T) {
	for name, fault := range matrixMutants {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 8))
			for i := range 200 {
				f := ruletest.ParityFormula(rng, 24)
				if err := decideDamaged(f, ShortParities, fault); err != nil {
					t.Logf("caught by formula %d: %.100v", i+1, err)
					return
				}
			}
			t.Error("not caught by 200 formulas")
		})
	}
}
