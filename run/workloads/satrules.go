package workloads

import (
	"fmt"
	"strings"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/lookahead"
	"treesplit/sat/plain"
)

// satRule is a rule by name.
type satRule struct {
	name     string
	compile  func(*sat.Formula) sat.Rule
	counting func(*sat.Formula) sat.Rule // the version that loses no models; nil: compile's
	simplify bool                        // the formula is simplified first, unless SAT.Simplify says otherwise
}

// satRules are all rules, in the order in which they are shown.
var satRules = []satRule{
	{name: "paper", compile: func(f *sat.Formula) sat.Rule { return sat.NewPaper(f) }},
	{name: "paper-static", compile: func(f *sat.Formula) sat.Rule { return sat.NewStatic(f) }},
	{name: "unit", compile: func(f *sat.Formula) sat.Rule { return sat.NewUnit(f) }},
	{name: "plain", compile: plain.New, counting: plain.NewCounting},
	{name: "lookahead", compile: func(f *sat.Formula) sat.Rule { return lookahead.New(f) },
		counting: func(f *sat.Formula) sat.Rule { return lookahead.NewCounting(f) }, simplify: true},
}

// autoRule is the rule that "auto" picks, whatever the formula.
const autoRule = "lookahead"

// RuleNames lists the rules that SAT knows, and "auto" last.
func RuleNames() (names []string) {
	for _, r := range satRules {
		names = append(names, r.name)
	}
	return append(names, "auto")
}

// ruleName returns the name of the rule by which SAT searches.
func (w *SAT) ruleName() string {
	if w.Rule == "auto" {
		return autoRule
	}
	return w.Rule
}

// lookUpRule is the rule that SAT searches by, or an error that names all.
func (w *SAT) lookUpRule() (satRule, error) {
	for _, r := range satRules {
		if r.name == w.ruleName() {
			return r, nil
		}
	}
	return satRule{}, run.FlagError("rule", fmt.Errorf("unknown rule %q: expected one of %s", w.Rule, strings.Join(RuleNames(), ", ")))
}
