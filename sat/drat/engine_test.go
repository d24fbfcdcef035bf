package drat_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"treesplit/sat/cdcl"
	"treesplit/sat/drat"
	"treesplit/sat/gen"
)

// twoProofs receives the lemmas of a solver and writes them as DRAT and as LRAT.
type twoProofs struct {
	drat, lrat bytes.Buffer
	last       uint64
}

func (p *twoProofs) AddLemma(id uint64, clause []int32, hints []uint64) {
	p.last = id
	literals := strings.Trim(fmt.Sprint(append(slices.Clone(clause), 0)), "[]")
	fmt.Fprintln(&p.drat, literals)
	fmt.Fprintln(&p.lrat, id, literals, strings.Trim(fmt.Sprint(append(slices.Clone(hints), 0)), "[]"))
}

func (p *twoProofs) DeleteClause(id uint64, clause []int32) {
	fmt.Fprintln(&p.drat, "d", strings.Trim(fmt.Sprint(append(slices.Clone(clause), 0)), "[]"))
	fmt.Fprintln(&p.lrat, p.last, "d", id, "0")
}

// The proofs of the clause-learning engine are verified forward, backward and by their hints, with
// the same lemmas. Without one hint of a lemma in the middle the LRAT proof is refused there.
func TestEngineProofs(t *testing.T) {
	for _, family := range gen.ListFamilies() {
		for _, params := range small[family.Name] {
			f, _, err := family.MakeFormula(values(t, params), 7)
			if err != nil {
				t.Fatal(err)
			}
			var p twoProofs
			s := cdcl.New(cdcl.Options{Proof: &p, Hints: true})
			s.AddFormula(f)
			if s.Solve(cdcl.NoLimit) != cdcl.Unsatisfiable {
				continue
			}
			var reports []drat.Report
			for _, o := range []drat.Options{{}, {Mode: drat.Backward}, {Mode: drat.Auto, Format: drat.AnyFormat}} {
				proof := p.drat.Bytes()
				if o.Format != "" {
					proof = p.lrat.Bytes()
				}
				r, err := drat.Check(f.Clauses(), bytes.NewReader(proof), "p", o)
				if err != nil || !r.Verified || r.Missing > 0 {
					t.Fatalf("%s %s, %+v: %+v, %v", family.Name, params, o, r, err)
				}
				reports = append(reports, r)
			}
			if reports[1].Checked > reports[0].Checked || reports[1].Lemmas != reports[0].Lemmas || reports[0].Lemmas > 0 && !reports[2].LRAT {
				t.Errorf("%s %s: %+v", family.Name, params, reports)
			}
			refuseDamaged(t, family.Name+" "+params, f.Clauses(), p.lrat.String())
		}
	}
}

// refuseDamaged checks that a proof is refused if a lemma in its middle has no last hint, or one
// that does not exist.
func refuseDamaged(t *testing.T, name string, clauses iter.Seq2[int, []int32], proof string) {
	lines := strings.SplitAfter(proof, "\n")
	for i := len(lines) / 2; i < len(lines); i++ {
		words := strings.Fields(lines[i])
		if len(words) < 5 || words[1] == "d" || strings.HasPrefix(lines[i], words[0]+" 0 ") {
			continue
		}
		for _, last := range []string{"0", "999999999 0"} {
			damaged := slices.Clone(lines)
			damaged[i] = strings.Join(words[:len(words)-2], " ") + " " + last + "\n"
			r, err := drat.Check(clauses, strings.NewReader(strings.Join(damaged, "")), "p", drat.Options{Format: drat.LRAT})
			if err != nil || r.Verified || r.Line != int64(i+1) {
				t.Errorf("%s: %+v, %v without the last hint of %s", name, r, err, lines[i])
			}
		}
		return
	}
}
