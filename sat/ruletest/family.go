package ruletest

import (
	"fmt"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/gen"
)

// MakeFamily returns a formula of package gen, with parameters written as in Family.Example.
func MakeFamily(t testing.TB, name string, seed uint64, params string) *sat.Formula {
	t.Helper()
	fam, err := gen.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]float64{}
	for _, p := range strings.Fields(params) {
		var v float64
		k, text, _ := strings.Cut(p, "=")
		if _, err := fmt.Sscan(text, &v); err != nil {
			t.Fatal(err)
		}
		given[k] = v
	}
	f, _, err := fam.MakeFormula(given, seed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
