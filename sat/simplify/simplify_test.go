package simplify

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// techniques are all options that tests go through, by name.
var techniques = map[string]Options{
	"pure":               {Pure: true},
	"subsume":            {Subsume: true},
	"failed":             {Failed: true},
	"equivalent":         {Equivalent: true},
	"xor":                {XOR: true},
	"xor and equivalent": {XOR: true, Equivalent: true},
	"eliminate":          {Eliminate: true},
	"vivify":             {Vivify: true},
	"lookahead":          LookaheadTechniques(),
	"all":                AllTechniques(),
}

// mixed draws a small formula: clauses of mixed lengths with units, empty clauses,
// tautologies and repeated literals, cycles of implications, and parities, some with a
// clause shortened.
func mixed(rng *rand.Rand) *sat.Formula {
	n := 1 + rng.IntN(8)
	f := &sat.Formula{Variables: n + rng.IntN(2)}
	draw := func() int32 { return int32(1+rng.IntN(n)) * int32(2*rng.IntN(2)-1) }
	longest := 1 + rng.IntN(5)
	for range rng.IntN(1 + rng.IntN(5*n)) {
		length := 1 + rng.IntN(longest)
		if rng.IntN(4) > 0 {
			length = max(length, 2)
		}
		if rng.IntN(200) == 0 {
			length = 0
		}
		clause := make([]int32, length)
		for i := range clause {
			clause[i] = draw()
		}
		f.AddClause(clause...)
	}
	if rng.IntN(3) == 0 {
		l := draw()
		for first, i := l, rng.IntN(5); i >= 0; i-- {
			next := draw()
			if i == 0 {
				next = first
			}
			f.AddClause(-l, next)
			l = next
		}
	}
	if rng.IntN(2) == 0 {
		for range rng.IntN(8) {
			variables := rng.Perm(n)[:min(n, 1+rng.IntN(4))]
			plantParity(rng, f, variables, rng.IntN(12) == 0)
		}
	}
	f = shuffled(rng, f)
	f.DNF = rng.IntN(2) == 0
	return f
}

// plantParity adds the clauses of a random parity of the variables (from 0), one of
// them without a literal if shorten.
func plantParity(rng *rand.Rand, f *sat.Formula, variables []int, shorten bool) {
	odd := rng.IntN(2)
	for signs := range 1 << len(variables) {
		var clause []int32
		negated := 0
		for i, v := range variables {
			l := int32(v + 1)
			if signs>>i&1 == 1 {
				l = -l
				negated++
			}
			clause = append(clause, l)
		}
		if negated&1 == odd {
			continue
		}
		if shorten && len(clause) > 1 {
			clause, shorten = clause[1:], false
		}
		f.AddClause(clause...)
	}
}

// shuffled is f with its clauses in random order.
func shuffled(rng *rand.Rand, f *sat.Formula) *sat.Formula {
	g := &sat.Formula{Variables: f.Variables}
	for _, c := range rng.Perm(f.Len()) {
		g.AddClause(f.Clause(c)...)
	}
	return g
}

func satisfiable(f *sat.Formula) bool { return ruletest.CountModels(f) > 0 }

// verify simplifies f and checks all that the result promises: the same satisfiability,
// models that complete to models, lemmas that follow and lead to a refutation, and a
// result that does not depend on whether lemmas are wanted.
func verify(f *sat.Formula, opt Options) error { return verifyRun(f, opt, Run) }

// verifyRun is verify for another function than Run.
func verifyRun(f *sat.Formula, opt Options, run func(*sat.Formula, Options) *Result) error {
	k := &checker{}
	for _, c := range f.Clauses() {
		k.clauses = append(k.clauses, c)
	}
	k.input = f.Len()
	plain := run(f, opt)
	var wrong error
	check := func(err error) {
		if wrong == nil && err != nil {
			wrong = err
		}
	}
	lines, last := 0, []int32{0}
	opt.Lemma = func(lemma []int32) {
		lines++
		last = slices.Clone(lemma)
		check(k.add(lemma))
	}
	opt.Delete = func(lemma []int32) { check(k.delete(lemma)) }
	r := run(f, opt)
	if wrong != nil {
		return wrong
	}
	want := satisfiable(f)
	if r.Formula.DNF != f.DNF || r.Formula.Variables != f.Variables {
		return fmt.Errorf("%d variables, DNF %v became %d, %v", f.Variables, f.DNF, r.Formula.Variables, r.Formula.DNF)
	}
	if r.Refuted && len(last) > 0 {
		return fmt.Errorf("refuted, but the last lemma is %d", last)
	}
	if got := satisfiable(r.Formula); got != want || r.Refuted && want {
		return fmt.Errorf("satisfiable: %v; simplified: %v, refuted: %v", want, got, r.Refuted)
	}
	for model := range ruletest.EachModel(r.Formula) {
		r.RestoreModel(model)
		check(f.CheckModel(model))
	}
	if wrong != nil {
		return fmt.Errorf("restored: %w", wrong)
	}
	if !r.Refuted {
		for clause := range r.Obsolete() {
			check(k.deleteInput(clause))
		}
		check(k.agrees(r.Formula))
	}
	if wrong == nil && !want && !r.Refuted {
		wrong = k.refute(f.Variables, nil)
	}
	if wrong != nil {
		return fmt.Errorf("completing the proof: %w", wrong)
	}
	if r.Stats.Lemmas != lines {
		return fmt.Errorf("%d lemmas counted as %d", lines, r.Stats.Lemmas)
	}
	r.Stats.Lemmas, r.MaxVariable, r.obsolete = 0, plain.MaxVariable, nil
	if !reflect.DeepEqual(r, plain) {
		return fmt.Errorf("with a proof %+v, without %+v", r, plain)
	}
	return nil
}

// agrees reports whether the clauses that the proof has come to imply the simplified formula.
func (k *checker) agrees(simplified *sat.Formula) error {
	for _, c := range simplified.Clauses() {
		if !k.rup(c) {
			return fmt.Errorf("clause %d of the simplified formula does not follow", c)
		}
	}
	return nil
}

// Satisfiability, models and proofs are kept on random formulas of every shape, by
// each technique alone and all together.
func TestRandomFormulas(t *testing.T) {
	rounds := 8000
	if testing.Short() {
		rounds = 2000
	}
	for name, opt := range techniques {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, 2))
			for range rounds {
				f := mixed(rng)
				if err := verify(f, opt); err != nil {
					t.Fatalf("%v\n%v", err, slices.Collect(clauses(f)))
				}
			}
		})
	}
}

func clauses(f *sat.Formula) func(func([]int32) bool) {
	return func(yield func([]int32) bool) {
		for _, c := range f.Clauses() {
			if !yield(c) {
				return
			}
		}
	}
}

// Nothing switched on, nothing changed.
func TestOff(t *testing.T) {
	f := mixed(rand.New(rand.NewPCG(3, 3)))
	r := Run(f, Options{})
	if r.Formula != f || r.Refuted || r.MaxVariable != f.Variables {
		t.Errorf("%+v", r)
	}
}
