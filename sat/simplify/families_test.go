package simplify

import (
	"bytes"
	"fmt"
	"testing"

	"treesplit/sat"
	"treesplit/sat/drat"
	"treesplit/sat/ruletest"
)

// writeLine appends a line of a proof in text form.
func writeLine(b *bytes.Buffer, lemma []int32) {
	for _, l := range lemma {
		fmt.Fprint(b, l, " ")
	}
	b.WriteString("0\n")
}

// refutedByParities are formulas that the parities alone refute.
var refutedByParities = []struct{ family, params string }{
	{"tseitin-torus", "r=3 c=3"},
	{"tseitin-torus", "r=5 c=5"},
	{"tseitin-torus", "r=8 c=8"},
	{"tseitin-regular", "n=14 d=3"},
	{"tseitin-regular", "n=60 d=4"},
	{"tseitin-regular", "n=50 d=6"},
	{"tseitin-regular", "n=20 d=8"},
	{"parity", "n=2"},
	{"parity", "n=16"},
	{"parity", "n=2000"},
}

// Tseitin formulas and contradicting parities are refuted without search, and the
// checker accepts the proofs, with and without deletions.
func TestParitiesRefute(t *testing.T) {
	for _, c := range refutedByParities {
		t.Run(c.family+" "+c.params, func(t *testing.T) {
			f := ruletest.MakeFamily(t, c.family, 1, c.params)
			for _, deletions := range []bool{false, true} {
				var proof bytes.Buffer
				opt := Options{XOR: true, Lemma: func(lemma []int32) { writeLine(&proof, lemma) }}
				if deletions {
					opt.Delete = func(lemma []int32) {
						proof.WriteString("d ")
						writeLine(&proof, lemma)
					}
				}
				if r := Run(f, opt); !r.Refuted {
					t.Fatalf("not refuted: %+v", r.Stats)
				}
				report, err := drat.Check(f.Clauses(), &proof, "proof", drat.Options{})
				if err != nil || !report.Verified || report.Missing > 0 {
					t.Errorf("deletions %v: %v, %+v", deletions, err, report)
				}
			}
		})
	}
}

// Without a contradiction there is none: the same formulas with an even charge have
// models, and what parities derive keeps them.
func TestParitiesKeepModels(t *testing.T) {
	for _, c := range refutedByParities {
		f := ruletest.MakeFamily(t, c.family, 1, c.params)
		// The first vertex's charge, or the first chain's parity, is in one clause in
		// every parity: dropping a clause leaves at least one model.
		g := &sat.Formula{Variables: f.Variables}
		for i := 1; i < f.Len(); i++ {
			g.AddClause(f.Clause(i)...)
		}
		if r := Run(g, AllTechniques()); r.Refuted {
			t.Errorf("%s %s less a clause: refuted", c.family, c.params)
		}
	}
}
