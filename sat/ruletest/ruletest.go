// Package ruletest is the conformance suite of sat.Rule. It tests that the tree of a rule can be
// searched in parts, that its models and proofs are valid, and that its verdicts agree with other
// programs. The tests of a rule call Run, and compare its node counts with a definition of their
// own.
//
// All randomness comes from fixed seeds.
package ruletest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/search"
	"treesplit/search/searchtest"
)

// Suite is a rule with its test inputs.
type Suite struct {
	// New compiles the rule for a formula.
	New func(*sat.Formula) sat.Rule
	// Counting compiles the version of the rule that keeps all models; nil: New does.
	Counting func(*sat.Formula) sat.Rule
	// Trees are formulas for the conformance suite of search.Work: under the rule each
	// should have between about 500 and 100,000 nodes.
	Trees map[string]*sat.Formula
	// Variables is the number of variables of the random 3-SAT formulas whose verdicts are
	// compared with other programs, at most 64.
	Variables int
	// Uncounted is set for a rule that cannot count models.
	Uncounted bool
	// LearntFirst is set for a rule whose proofs are made by proof.MergeLearntFirst, and whose tree
	// depends on the distribution of the work.
	LearntFirst bool
	// Draw draws the small formulas; nil: MixedFormula.
	Draw func(rng *rand.Rand) *sat.Formula
}

// Run checks the rule.
func (s Suite) Run(t *testing.T) {
	for _, c := range []struct {
		name  string
		check func(rng *rand.Rand, f *sat.Formula) error
		n     int
	}{
		{"Truth", s.checkVerdict, 6000},
		{"First", s.checkFirstSolution, 1000},
		{"Parts", s.checkParts, 2000},
		{"Models", s.checkModelCount, 2000},
		{"Proofs", s.checkUnsatProof, 1500},
	} {
		t.Run(c.name, func(t *testing.T) {
			if s.Uncounted && c.name == "Models" || s.LearntFirst && c.name == "Parts" {
				return
			}
			if testing.Short() {
				c.n /= 10
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range c.n {
				f := s.drawFormula(rng)
				if err := c.check(rng, f); err != nil {
					t.Fatalf("formula %d, %v: %v", i, f, err)
				}
			}
		})
	}
	t.Run("Solvers", s.checkAgainstSolvers)
	for name, f := range s.Trees {
		if s.LearntFirst {
			break
		}
		t.Run("Work/"+name, func(t *testing.T) { s.checkWork(t, f) })
	}
}

// drawFormula draws a small formula.
func (s Suite) drawFormula(rng *rand.Rand) *sat.Formula {
	if s.Draw != nil {
		return s.Draw(rng)
	}
	return MixedFormula(rng)
}

// newFullSearch returns a share with Options.All that holds the whole tree or nothing.
func newFullSearch(rule sat.Rule, root bool, split search.Splitting) *sat.Search {
	return sat.NewSearch(rule, sat.Options{Splitting: split, Root: root, All: true})
}

// checkWork checks the shares of a tree as a search.Work.
func (s Suite) checkWork(t *testing.T, f *sat.Formula) {
	rule := s.New(f)
	want := runShareToEnd(newFullSearch(rule, true, search.Splitting{}), 1000).Counts()
	if want.Expanded < 500 || want.Expanded > 100_000 {
		t.Fatalf("the tree has %d nodes", want.Expanded)
	}
	for _, split := range []search.Splitting{search.DefaultSplitting, {Rule: search.Bottom, MinOpen: 1}} {
		share := func(root bool) func() search.Work {
			return func() search.Work { return newFullSearch(rule, root, split) }
		}
		searchtest.Run(t, share(true), share(false), want.Expanded)
	}
}

// runShareToEnd expands a share in steps until it is empty or decided.
func runShareToEnd(s *sat.Search, quantum int) *sat.Search {
	for !s.Empty() && !s.Decided() {
		s.Expand(quantum)
	}
	return s
}

// checkVerdict checks the verdict by a truth table, the model, and the shape of the tree: if
// every inner node has two children, the number of leaves is one more than the number of inner
// nodes.
func (s Suite) checkVerdict(rng *rand.Rand, f *sat.Formula) error {
	share := runShareToEnd(newFullSearch(s.New(f), true, search.Splitting{}), 1+rng.IntN(20))
	c, model := share.Counts(), share.Model()
	if want := CountModels(f) > 0; (model != nil) != want || (c.Solutions > 0) != want {
		return fmt.Errorf("satisfiable: %v; model %v with %+v", want, model, c)
	}
	if c.Expanded-c.Steps != 2*(c.Conflicts+c.Solutions)-1 {
		return fmt.Errorf("not a binary tree: %+v", c)
	}
	if model == nil {
		return nil
	}
	return f.CheckModel(model)
}

// checkFirstSolution checks the search that stops at its first solution.
func (s Suite) checkFirstSolution(rng *rand.Rand, f *sat.Formula) error {
	rule := s.New(f)
	share := runShareToEnd(sat.NewSearch(rule, sat.Options{Root: true}), 1+rng.IntN(20))
	whole := runShareToEnd(newFullSearch(rule, true, search.Splitting{}), 100)
	if share.Decided() != (whole.Model() != nil) || fmt.Sprint(share.Model()) != fmt.Sprint(whole.Model()) {
		return fmt.Errorf("decided: %v, model %v; the first of all is %v", share.Decided(), share.Model(), whole.Model())
	}
	return nil
}

// checkParts checks that a tree split in any way, and searched in steps of any size, has the
// counts of the whole tree. Earlier work of a share must not affect its counts.
func (s Suite) checkParts(rng *rand.Rand, f *sat.Formula) error {
	return s.checkSearchedParts(rng, s.New(f), func([]*sat.Search) error { return nil })
}

// checkSearchedParts lets shares search the tree in parts, compares the sum of their counts with
// the counts of one share, and calls check with the shares.
func (s Suite) checkSearchedParts(rng *rand.Rand, rule sat.Rule, check func([]*sat.Search) error) error {
	want := runShareToEnd(newFullSearch(rule, true, search.Splitting{}), 1000).Counts()
	split := search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1 + rng.IntN(3)}
	shares := make([]*sat.Search, 1+rng.IntN(4))
	for i := range shares {
		shares[i] = newFullSearch(rule, false, split)
	}
	k := rng.IntN(4)
	for _, part := range rng.Perm(1 << k) {
		if err := searchPart(rng, shares, k, uint64(part)); err != nil {
			return err
		}
	}
	var got sat.Counts
	for _, share := range shares {
		c := share.Counts()
		got.Expanded += c.Expanded
		got.Conflicts += c.Conflicts
		got.Solutions += c.Solutions
		got.Cubes += c.Cubes
		got.Split += c.Split
		got.Steps += c.Steps
		got.Refuted += c.Refuted
		got.MaxDepth = max(got.MaxDepth, c.MaxDepth)
	}
	if got != want || got.Expanded-got.Steps != 2*(got.Conflicts+got.Solutions)-1 {
		return fmt.Errorf("%d shares of 2^%d parts: %+v, want %+v", len(shares), k, got, want)
	}
	return check(shares)
}

// searchPart lets the shares search one of 2^k parts of the tree together.
func searchPart(rng *rand.Rand, shares []*sat.Search, k int, part uint64) error {
	shares[rng.IntN(len(shares))].Bisect(k, part)
	for busy := true; busy; {
		busy = false
		for _, from := range shares {
			if from.Empty() {
				continue
			}
			busy = true
			from.Expand(rng.IntN(6))
			if err := passFacts(rng, from, shares); err != nil {
				return err
			}
			if err := movePiece(rng, from, shares[rng.IntN(len(shares))]); err != nil {
				return err
			}
		}
	}
	return nil
}

// passFacts gives what a share has learnt to all other shares, sometimes, if the shares exchange facts.
func passFacts(rng *rand.Rand, from *sat.Search, shares []*sat.Search) error {
	if !from.Exchanges() || rng.IntN(3) > 0 {
		return nil
	}
	facts := from.Export(nil, 1+rng.IntN(200))
	for _, to := range shares {
		if to == from || len(facts) == 0 {
			continue
		}
		if err := to.Import(facts); err != nil {
			return err
		}
	}
	return nil
}

// movePiece moves a piece of a share to another share if that one is empty.
func movePiece(rng *rand.Rand, from, to *sat.Search) error {
	if from.Empty() || !to.Empty() {
		return nil
	}
	var piece []byte
	ok, way := true, rng.IntN(8)
	if way < 2 && !from.Settled() && rng.IntN(200) > 0 { // if this were frequent, shares could repeat for ever
		return nil
	}
	switch way {
	case 0:
		piece = from.Pack(nil)
	case 1:
		piece, _, ok = from.Subtask(nil, 1+rng.IntN(8), 1+rng.IntN(20))
	default:
		piece, ok = from.Split(nil)
	}
	if !ok {
		return nil
	}
	if err := to.Accept(piece); err != nil {
		return err
	}
	if to.Empty() {
		return errors.New("a share is empty after accepting a piece")
	}
	return nil
}
