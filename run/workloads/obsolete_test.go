package workloads_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/drat"
)

// A proof deletes the clauses of the formula that elimination makes obsolete, if the rule
// searches the formula without them. The proof is still one.
func TestObsoleteClausesAreDeleted(t *testing.T) {
	f := made(t, "multiplier", map[string]float64{"n": 4}, 0)
	for _, c := range []struct {
		rule, simplify string
		most, least    float64 // of the formula
	}{
		{"cdcl", "auto", 1, 0.5}, {"cubes", "on", 1, 0.5}, {"plain", "eliminate", 1, 0.5},
		{"lookahead", "off", 0, 0}, {"cdcl", "vivify", 0.5, 0},
	} {
		t.Run(c.rule+" "+c.simplify, func(t *testing.T) {
			w := satOf(t, f, c.rule)
			w.Simplify, w.Proof = c.simplify, filepath.Join(t.TempDir(), "proof.drat")
			_, found := decided(t, proofPlan("rp", 1, 2), w, 1<<40)
			if found.Proof == nil {
				t.Fatal("no proof")
			}
			data, err := os.ReadFile(w.Proof)
			if err != nil {
				t.Fatal(err)
			}
			report, err := drat.Check(f.Clauses(), bytes.NewReader(data), "proof", drat.Options{Mode: drat.Backward})
			if err != nil || !report.Verified || report.Missing > 0 {
				t.Fatalf("%+v, %v", report, err)
			}
			deleted := deletedOf(f, string(data))
			if part := float64(deleted) / float64(f.Len()); part < c.least || part > c.most {
				t.Errorf("%d of %d clauses are deleted", deleted, f.Len())
			}
		})
	}
}

// deletedOf counts the clauses of a formula that a text proof deletes, except clauses that are lemmas at that time.
func deletedOf(f *sat.Formula, proof string) (deleted int) {
	key := func(literals string) string {
		words := strings.Fields(literals)
		slices.Sort(words)
		return strings.Join(words, " ")
	}
	left := map[string]int{}
	for _, clause := range f.Clauses() {
		left[key(strings.Trim(fmt.Sprint(clause), "[]"))]++
	}
	for line := range strings.Lines(proof) {
		literals, deletion := strings.CutPrefix(strings.TrimSuffix(line, " 0\n"), "d ")
		switch k := key(literals); {
		case !deletion:
			left[k] = 0
		case left[k] > 0:
			left[k]--
			deleted++
		}
	}
	return deleted
}
