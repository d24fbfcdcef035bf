package sweep

import (
	"strings"
	"testing"
)

// Names of schemes and detectors are read in any case, and give the same keys as names in the
// program's spelling.
func TestNamesInAnyCase(t *testing.T) {
	const text = "name: x\nranks: [2]\nschemes: [%s]\ndetectors: [%d]\ninstances:\n  - {name: a, verb: uts}\n  - {name: b, verb: uts, schemes: [%s], detectors: [%d]}\n"
	keys := func(scheme, detector string) (all []string) {
		p, err := ParsePlan([]byte(strings.NewReplacer("%s", scheme, "%d", detector).Replace(text)), "p")
		if err == nil {
			err = p.SettleLauncher("")
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.ExpandRuns() {
			all = append(all, r.Key)
		}
		return all
	}
	want, got := keys("static+grr-m, rp", "credit"), keys("Static+GRR-M, RP", "Credit")
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("keys %v, want %v", got, want)
	}
}

// The error for a misspelt name suggests a correct name and gives the line.
func TestDidYouMean(t *testing.T) {
	for text, want := range map[string]string{
		"ranks: [2]\nschemes: [rp, gr-m]\ninstances: [{name: a, verb: uts}]":                       `p:3: unknown name "gr-m": did you mean grr-m?`,
		"ranks: [2]\ndetectors: [credits]\ninstances: [{name: a, verb: uts}]":                      "p:3: unknown name \"credits\": did you mean credit?",
		"ranks: [2]\ninstances:\n  - name: a\n    verb: uts\n    schemes: [Lifelin]":               "p:6: unknown name \"Lifelin\": did you mean lifeline?",
		"ranks: [2]\nschemes: [rp, RP]\ninstances: [{name: a, verb: uts}]":                         "p:3: rp is there twice",
		"ranks: [2]\ninstances: [{name: a, verb: ring, args: [tree, --steps], schemes: [KS-BFF]}]": `p:3: unknown name "KS-BFF": did you mean ks-bf?`,
		"ranks: [2]\nschemes: [bogus]\ninstances: [{name: a, verb: uts}]":                          "p:3: unknown scheme",
		"ranks: [2]\ndetectors: [xyzzy]\ninstances: [{name: a, verb: uts}]":                        "p:3: unknown termination detector",
		"ranks: [2.7]\ninstances: [{name: a, verb: uts}]":                                          `p:2: ranks: "2.7": expected a whole number`,
		"ranks: [2]\ninstances: [{name: a, verb: uts}]\nseeds: [18446744073709551616]":             "p:4: seeds: \"18446744073709551616\": expected a whole number from 0 to 18446744073709551615",
		"ranks: [2]\ninstances: [{name: a, verb: uts}]\nbatch: {time: 1h, warn: x}":                "p:4: warn: \"x\": expected a span with its unit, such as 10m",
	} {
		if _, err := ParsePlan([]byte("name: x\n"+text+"\n"), "p"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s…", text, err, want)
		}
	}
}
