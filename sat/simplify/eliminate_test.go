package simplify

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/drat"
	"treesplit/sat/ruletest"
)

// logged receives the lemmas of the engine as lines of a proof.
type logged struct{ *bytes.Buffer }

func (l logged) AddLemma(_ uint64, clause []int32, _ []uint64) { writeLine(l.Buffer, clause) }

func (l logged) DeleteClause(_ uint64, clause []int32) {
	l.WriteString("d ")
	writeLine(l.Buffer, clause)
}

// solveSimplified simplifies f, decides the result by the engine, and checks the answer against
// the input: the completed model, or the proof of both.
func solveSimplified(t *testing.T, f *sat.Formula, opt Options) (cdcl.Status, *Result) {
	t.Helper()
	var proof bytes.Buffer
	opt.Lemma = func(lemma []int32) { writeLine(&proof, lemma) }
	opt.Delete = func(lemma []int32) { logged{&proof}.DeleteClause(0, lemma) }
	r := Run(f, opt)
	s := cdcl.New(cdcl.Options{Proof: logged{&proof}})
	s.AddFormula(r.Formula)
	status := s.Solve(cdcl.NoLimit)
	if status == cdcl.Satisfiable {
		model := s.Model(f.Variables)
		r.RestoreModel(model)
		if err := f.CheckModel(model); err != nil {
			t.Fatal(err)
		}
		return status, r
	}
	report, err := drat.Check(f.Clauses(), &proof, "proof", drat.Options{})
	if err != nil || !report.Verified || report.Missing > 0 {
		t.Fatalf("%v, %+v", err, report)
	}
	return status, r
}

// Structured formulas keep their verdicts, with and without the clause that refutes them. Models
// and proofs belong to the input.
func TestFamiliesKeepVerdicts(t *testing.T) {
	for _, c := range []struct{ family, params string }{
		{"adder", "n=6"},
		{"multiplier", "n=3"},
		{"php", "n=5"},
		{"tseitin-torus", "r=3 c=4"},
		{"vdw", "j=3 k=4 n=18"},
		{"random", "n=60 ratio=4.3"},
	} {
		f := ruletest.MakeFamily(t, c.family, 1, c.params)
		g := &sat.Formula{Variables: f.Variables}
		for i := 1; i < f.Len(); i++ {
			g.AddClause(f.Clause(i)...)
		}
		for _, f := range []*sat.Formula{f, g} {
			want, _ := solveSimplified(t, f, LookaheadTechniques())
			for _, opt := range []Options{{Eliminate: true}, {Vivify: true}, {Eliminate: true, Vivify: true}, AllTechniques()} {
				if got, r := solveSimplified(t, f, opt); got != want {
					t.Errorf("%s %s: %v, want %v: %+v", c.family, c.params, got, want, r.Stats)
				}
			}
		}
	}
}

// All gates of a circuit are found: a conjunction, its negation, a choice and a parity.
func TestGates(t *testing.T) {
	conjunction := [][]int32{{-1, 2}, {-1, 3}, {-1, 4}, {1, -2, -3, -4}}
	choice := [][]int32{{-1, -2, 3}, {-1, 2, 4}, {1, -2, -3}, {1, 2, -4}}
	parity := [][]int32{{-1, 2, 3}, {-1, -2, -3}, {1, -2, 3}, {1, 2, -3}}
	users := [][]int32{{1, 5}, {-1, 6}, {1, 7, 8}, {-1, -7, 8}}
	for name, clauses := range map[string][][]int32{"conjunction": conjunction, "choice": choice, "parity": parity} {
		for _, sign := range []int32{1, -1} {
			f := &sat.Formula{}
			for _, c := range slices.Concat(users, clauses) {
				own := slices.Clone(c)
				for i := range own {
					if own[i] == 1 || own[i] == -1 {
						own[i] *= sign
					}
				}
				f.AddClause(own...)
			}
			s := newSimplifier(f, Options{Eliminate: true})
			s.loadFormula(f)
			e := &s.eliminator
			e.buildOccurrences(s)
			e.gate.findGate(s, e.occurs[0], e.occurs[1], 0)
			marked := 0
			for i := range e.gate.positive {
				if e.gate.positive[i] != (s.clauses[e.occurs[0][i]].start >= s.clauses[len(users)].start) {
					t.Errorf("%s, sign %d: clause %d", name, sign, i)
				}
				if e.gate.positive[i] {
					marked++
				}
			}
			for i := range e.gate.negative {
				if e.gate.negative[i] {
					marked++
				}
			}
			if !e.gate.found || marked != len(clauses) {
				t.Errorf("%s, sign %d: %d of %d clauses marked", name, sign, marked, len(clauses))
			}
		}
	}
}

// The candidates come in the order of their costs, and a changed cost replaces the old one.
func TestCostHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	h := costHeap{current: make([]uint64, 50)}
	costs := map[int32]uint64{}
	for range 5000 {
		if rng.IntN(3) > 0 {
			v, cost := int32(rng.IntN(50)), uint64(rng.IntN(20))
			h.push(v, cost)
			costs[v] = cost
			continue
		}
		v, ok := h.popCheapest()
		if ok != (len(costs) > 0) {
			t.Fatalf("%d candidates, found %v", len(costs), ok)
		}
		for w, cost := range costs {
			if cost < costs[v] || cost == costs[v] && w < v {
				t.Fatalf("%d of cost %d before %d of cost %d", v, costs[v], w, cost)
			}
		}
		delete(costs, v)
	}
}

// The result depends only on the formula, and another run finds nothing more.
func TestRunIsRepeatable(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	opt := AllTechniques()
	opt.XOR = false // a second run may add sums that the first one may not
	for range 30 {
		f := larger(rng)
		first := Run(f, opt)
		if again := Run(f, opt); !reflect.DeepEqual(first, again) {
			t.Fatalf("%+v and %+v", first.Stats, again.Stats)
		}
		if first.Refuted {
			continue
		}
		if more := Run(first.Formula, opt); !slices.EqualFunc(slices.Collect(clauses(more.Formula)), slices.Collect(clauses(first.Formula)), slices.Equal) {
			t.Fatalf("%+v, then %+v", first.Stats, more.Stats)
		}
	}
}

// Elimination and vivification have removed what the tests of proofs and models are about.
func TestTechniquesAreUsed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var sum Stats
	for range 500 {
		s := Run(mixed(rng), Options{Eliminate: true}).Stats
		sum.Eliminated += s.Eliminated
		sum.Gates += s.Gates
		sum.Resolvents += s.Resolvents
		s = Run(mixed(rng), Options{Vivify: true}).Stats
		sum.Vivified += s.Vivified
	}
	if min(sum.Eliminated, sum.Resolvents, sum.Vivified) < 100 || sum.Gates < 50 {
		t.Errorf("%+v", sum)
	}
}

// countLive counts exactly the literals that a removal of the gaps keeps, also after resolvents and shortened
// clauses were removed.
func TestLiveLiterals(t *testing.T) {
	f := ruletest.MakeFamily(t, "adder", 1, "n=6")
	s := newSimplifier(f, Options{Eliminate: true})
	gaps := 0
	s.fault = func(at stage) {
		if at != variableRemoved {
			return
		}
		before, live := len(s.literals), s.eliminator.countLive()
		s.compactLiterals()
		if after := len(s.literals); after != live {
			t.Fatalf("%d literals of %d are live, want %d", live, before, after)
		}
		gaps += before - live
	}
	if r := s.simplifyFormula(f); r.Stats.Resolvents < 10 || gaps == 0 {
		t.Errorf("%+v, %d literals in gaps", r.Stats, gaps)
	}
}
