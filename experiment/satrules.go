package experiment

import (
	"fmt"
	"strings"

	"treesplit/sat"
)

// satRules are the rules by name, in the order in which they are shown.
var satRules = []struct {
	name    string
	compile func(*sat.Formula) sat.Rule
}{
	{"paper", func(f *sat.Formula) sat.Rule { return sat.NewPaper(f) }},
}

// autoRule is the rule that "auto" picks, whatever the formula.
const autoRule = "paper"

// Rules lists the rules that SAT knows, and "auto" last.
func Rules() (names []string) {
	for _, r := range satRules {
		names = append(names, r.name)
	}
	return append(names, "auto")
}

// RuleName is the rule that SAT searches by.
func (w *SAT) RuleName() string {
	if w.Rule == "auto" {
		return autoRule
	}
	return w.Rule
}

// rule is what compiles a formula for it.
func (w *SAT) rule() (compile func(*sat.Formula) sat.Rule, err error) {
	for _, r := range satRules {
		if r.name == w.RuleName() {
			return r.compile, nil
		}
	}
	return nil, badFlag("rule", fmt.Errorf("unknown rule %q: expected %s", w.Rule, strings.Join(Rules(), ", ")))
}
