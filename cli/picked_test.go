package cli

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"
)

// The result of rule auto names the picked rule and its reasons, as text and in the JSON.
func TestPickedRule(t *testing.T) {
	for _, c := range []struct {
		family, rule, reasons string
	}{
		{"php --n 5", "lookahead", `lookahead about \d+ nodes, [\d.]+ µs; plain about \d+ nodes, [\d.]+ µs`},
		{"vdw --j 3 --k 9 --n 77", "plain", `(lookahead .*; )?plain about [\d,]+ nodes, [\d.]+ m?s; .*cdcl tried for [\d,]+ conflicts`},
		{"adder --n 20", "cdcl", `the try decided after [\d,]+ conflicts`},
	} {
		formula := filepath.Join(t.TempDir(), "formula.cnf")
		if status, _, stderr := runLine("gen " + c.family + " -o " + formula); status != 0 {
			t.Fatal(stderr)
		}
		_, text, stderr := runLine("sat " + formula + " -n 1")
		want := regexp.MustCompile(`(?m)^c rule ` + c.rule + `, picked by auto: ` + c.reasons + `$`)
		if !want.MatchString(text) {
			t.Errorf("%s: expected a line like %s: %s%s", c.family, want, text, stderr)
		}
		_, text, _ = runLine("sat " + formula + " -n 1 --json")
		var result struct {
			Rule   string
			Picked struct {
				Plain, Lookahead *struct{ Nodes, Seconds float64 }
			}
		}
		if err := json.Unmarshal([]byte(text), &result); err != nil || result.Rule != c.rule {
			t.Errorf("%s: rule %q, want %q: %v", c.family, result.Rule, c.rule, err)
		}
		if p := result.Picked.Plain; p == nil || p.Nodes <= 0 || p.Seconds <= 0 {
			t.Errorf("%s: the JSON has no estimate of plain: %s", c.family, text)
		}
	}
}
