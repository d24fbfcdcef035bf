package figure

import (
	"fmt"
	"testing"
)

// A term is explained where it is used first, as a word of its own, and never twice.
func TestFirstUses(t *testing.T) {
	sections := []Section{
		{Title: "The grr-m scheme", Text: []string{"Step by step."}},
		{Tables: []Table{{Head: []string{"P", "RP paper"}}}, Text: []string{"More of GRR-M."}},
		{Figures: []Figure{{X: "P", Curves: []Curve{{Name: "static+rp"}, {Name: "grr"}}}}},
	}
	terms := []Term{{"P", "ranks"}, {"rp", "random polling"}, {"grr", "round robin"}, {"grr-m", "combined"}, {"static", "dealt"}, {"static+rp", "both"}}
	got := fmt.Sprint(firstUses(terms, sections))
	want := "[[{grr-m combined}] [{P ranks} {rp random polling}] [{grr round robin} {static+rp both}]]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
