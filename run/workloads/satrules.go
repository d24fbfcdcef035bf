package workloads

import (
	"fmt"
	"strings"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/lookahead"
	"treesplit/sat/plain"
)

// satRule is a rule with its name.
type satRule struct {
	name     string
	compile  func(*sat.Formula) sat.Rule
	counting func(*sat.Formula) sat.Rule // the version that keeps all models; nil: compile
	simplify bool                        // simplify the formula first, unless SAT.Simplify is set
}

// satRules lists all rules, in the order of their display.
var satRules = []satRule{
	{name: "paper", compile: func(f *sat.Formula) sat.Rule { return sat.NewPaper(f) }},
	{name: "paper-static", compile: func(f *sat.Formula) sat.Rule { return sat.NewStatic(f) }},
	{name: "unit", compile: func(f *sat.Formula) sat.Rule { return sat.NewUnit(f) }},
	{name: "plain", compile: plain.New, counting: plain.NewCounting},
	{name: "lookahead", compile: func(f *sat.Formula) sat.Rule { return lookahead.New(f) },
		counting: func(f *sat.Formula) sat.Rule { return lookahead.NewCounting(f) }, simplify: true},
}

// autoRule is the rule that "auto" selects, for every formula.
const autoRule = "lookahead"

// RuleNames lists the names of all rules, with "auto" last.
func RuleNames() (names []string) {
	for _, r := range satRules {
		names = append(names, r.name)
	}
	return append(names, "auto")
}

// RuleName returns the name of the rule that SAT searches by.
func (w *SAT) ruleName() string {
	if w.Rule == "auto" {
		return autoRule
	}
	return w.Rule
}

// lookUpRule returns the rule that SAT searches by, or an error that lists all rules.
func (w *SAT) lookUpRule() (satRule, error) {
	for _, r := range satRules {
		if r.name == w.ruleName() {
			return r, nil
		}
	}
	return satRule{}, run.FlagError("rule", fmt.Errorf("unknown rule %q: expected one of %s", w.Rule, strings.Join(RuleNames(), ", ")))
}
