package lb

import (
	"slices"
	"testing"
)

// The options that have an effect under each scheme.
func TestUses(t *testing.T) {
	for option, want := range map[string][]string{
		"topology":                {"nn", "shuffle", "static+clustered"},
		"delay":                   {"grr-m"},
		"levels":                  {"ml"},
		"arity":                   {"ml"},
		"equal-targets":           {"arr"},
		"route-through-scheduler": {"sb"},
		"cluster":                 {"static+clustered"},
		"splits":                  {"static", "static+rp", "static+clustered"},
		"phase":                   {"shuffle"},
		"trigger":                 {"shuffle"},
		"trigger-at":              {"shuffle"},
		"permutation":             {"shuffle"},
		"split":                   without(SchemeNames(), "sl", "ml", "ra", "ranade", "static"),
		"min-split":               without(SchemeNames(), "sl", "ml", "ra", "ranade", "static"),
		"damage":                  without(SchemeNames(), "sl", "ml", "ra", "ranade", "static", "shuffle"),
		"cutoff":                  without(SchemeNames(), "static"),
	} {
		if got := SchemesUsing(option); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", option, got, want)
		}
		if !slices.Contains(SchemeOptions(), option) {
			t.Errorf("%s is not listed", option)
		}
	}
	if n := len(SchemeOptions()); n != 16 {
		t.Errorf("there are %d options: the test knows 16", n)
	}
	if !UsesOption("static+nn", "topology") || !UsesOption("static+nn", "splits") || UsesOption("static+nn", "delay") {
		t.Error("UsesOption is wrong for static+nn")
	}
}

func without(names []string, others ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(others, name) })
}
