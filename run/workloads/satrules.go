package workloads

import (
	"errors"
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
	compile  func(*sat.Formula) sat.Rule // nil: not the rule of a tree
	counting func(*sat.Formula) sat.Rule // the version that keeps all models; nil: compile
	simplify bool                        // simplify the formula first, unless SAT.Simplify is set
	tree     int                         // version of the tree in the Identity, because a checkpoint has nodes of the tree; 0: none
}

// lookaheadTree and cubesTree are the versions of the trees that look-ahead and rule cubes make. cubesTree also
// grows when the solver of the cubes changes, because budgets in conflicts decide which cubes are split.
const (
	lookaheadTree = 3
	cubesTree     = 6
)

// satRules lists all rules, in the order of their display.
var satRules = []satRule{
	{name: "paper", compile: func(f *sat.Formula) sat.Rule { return sat.NewPaper(f) }},
	{name: "paper-static", compile: func(f *sat.Formula) sat.Rule { return sat.NewStatic(f) }},
	{name: "unit", compile: func(f *sat.Formula) sat.Rule { return sat.NewUnit(f) }},
	{name: plainRule, compile: plain.New, counting: plain.NewCounting},
	{name: lookaheadRule, compile: func(f *sat.Formula) sat.Rule { return lookahead.New(f) },
		counting: func(f *sat.Formula) sat.Rule { return lookahead.NewCounting(f) }, simplify: true, tree: lookaheadTree},
	{name: cubesRule, simplify: true, tree: cubesTree},
	{name: cdclRule, simplify: true},
}

// Names of rules that the code treats in its own way.
const (
	autoRule      = "auto"
	cdclRule      = "cdcl"
	cubesRule     = "cubes"
	lookaheadRule = "lookahead"
	plainRule     = "plain"
)

// RuleNames lists the names of all rules, with "auto" last.
func RuleNames() (names []string) {
	for _, r := range satRules {
		names = append(names, r.name)
	}
	return append(names, autoRule)
}

// ruleName returns the name of the rule by which SAT searches: before auto has picked one, "auto".
func (w *SAT) ruleName() string {
	if w.Rule == autoRule && w.picked != "" {
		return w.picked
	}
	return w.Rule
}

// checkRule returns an error unless the rule exists and suits the other options.
func (w *SAT) checkRule() error {
	if err := w.checkGauss(); err != nil {
		return err
	}
	if _, err := w.lookUpEngine(); err != nil {
		return err
	}
	if (w.Rule == cdclRule || w.Rule == cubesRule) && w.All {
		return run.FlagError("all", fmt.Errorf("rule %s finds one model and cannot count: expected another rule, such as lookahead", w.Rule))
	}
	if err := w.checkCubes(); err != nil {
		return err
	}
	if w.Rule == autoRule {
		return nil
	}
	_, err := w.lookUpRule()
	return err
}

// lookUpRule returns the rule by which SAT searches, or an error that lists all rules.
func (w *SAT) lookUpRule() (satRule, error) {
	for _, r := range satRules {
		if r.name == w.ruleName() {
			return r, nil
		}
	}
	return satRule{}, run.FlagError("rule", fmt.Errorf("unknown rule %q: expected one of %s", w.Rule, strings.Join(RuleNames(), ", ")))
}

// summedFlag in the tag of auto stands for SAT.summed.
const summedFlag = 0x80

// ruleTag returns what Encode puts before the formula: with auto, a byte that is the index of the
// picked rule, and summedFlag.
func (w *SAT) ruleTag() []byte {
	if w.Rule != autoRule {
		return nil
	}
	for i, r := range satRules {
		if r.name == w.picked {
			if w.summed {
				i |= summedFlag
			}
			return []byte{byte(i)}
		}
	}
	return nil
}

// takeTag reads the tag and returns the data after it.
func (w *SAT) takeTag(data []byte) ([]byte, error) {
	if w.Rule != autoRule {
		return data, nil
	}
	if len(data) == 0 || int(data[0]&^summedFlag) >= len(satRules) {
		return nil, errors.New("the encoded formula does not begin with a rule")
	}
	w.picked, w.summed = satRules[data[0]&^summedFlag].name, data[0]&summedFlag != 0
	return data[1:], nil
}

// simplifies reports whether the rule, or auto, simplifies the formula first.
func (w *SAT) simplifies() bool {
	r, err := w.lookUpRule()
	return err != nil || r.simplify // err: auto has not picked a rule yet
}
