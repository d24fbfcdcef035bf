package main

import (
	"math/rand/v2"
	"slices"

	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/cadical"
	"treesplit/sat/lookahead"
	"treesplit/sat/plain"
)

// variant is what the check of the program knows about a rule. A rule that is not listed gets every
// formula and no further flags, so that a new rule of the program is checked without a change here.
type variant struct {
	rule  string
	flags [][]string                  // further flags of sat, of which one entry is drawn per call; nil: none
	tree  func(*sat.Formula) sat.Rule // the rule of its tree; nil: the rule gets every formula
	nodes int64                       // the rule gets formulas whose whole tree has at most this number of nodes
}

// variants lists the rules with flags of their own, and the rules whose trees can be too large.
var variants = []variant{
	{rule: "paper", tree: func(f *sat.Formula) sat.Rule { return sat.NewPaper(f) }, nodes: 50_000},
	{rule: "paper-static", tree: func(f *sat.Formula) sat.Rule { return sat.NewStatic(f) }, nodes: 50_000},
	{rule: "unit", tree: func(f *sat.Formula) sat.Rule { return sat.NewUnit(f) }, nodes: 20_000},
	{rule: "plain", tree: plain.New, nodes: 10_000},
	{rule: "lookahead", tree: func(f *sat.Formula) sat.Rule { return lookahead.New(f) }, nodes: 2_000},
	{rule: "cdcl", flags: engineFlags()},
	{rule: "cubes", flags: [][]string{
		nil,
		{"--cut", "assigned=3", "--budget", "2"},
		{"--cut", "difficulty=1", "--budget", "5"},
		{"--cut", "assigned=8", "--learn", "rank"},
		{"--cut", "assigned=5", "--budget", "3", "--learn", "rank"},
		{"--cut", "assigned=5", "--budget", "3", "--learn", "shared"},
		{"--cut", "assigned=3", "--gauss", "off"},
	}},
}

// engineFlags returns the flags that select each engine of rule cdcl that this program has, and the
// program's own engine without sums of parities.
func engineFlags() (flags [][]string) {
	flags = append(flags, []string{"--gauss", "off"})
	for _, name := range workloads.EngineNames() {
		if name != "cadical" || cadical.Available() {
			flags = append(flags, []string{"--engine", name})
		}
	}
	return flags
}

// findVariant returns the entry of a rule of the program, or an empty one.
func findVariant(rule string) variant {
	if i := slices.IndexFunc(variants, func(v variant) bool { return v.rule == rule }); i >= 0 {
		return variants[i]
	}
	return variant{rule: rule}
}

// drawFlags draws the further flags of a call.
func (v variant) drawFlags(rng *rand.Rand) []string {
	if len(v.flags) == 0 {
		return nil
	}
	return v.flags[rng.IntN(len(v.flags))]
}

// suits reports whether the rule decides a formula in short time: whether its whole tree is small. It
// visits at most the nodes of the limit, and a few more.
func (v variant) suits(f *sat.Formula) bool {
	if v.tree == nil {
		return true
	}
	s := sat.NewSearch(v.tree(f), sat.Options{Root: true, All: true})
	for !s.Empty() && s.Counts().Expanded < v.nodes {
		s.Expand(1000)
	}
	return s.Empty()
}

// suitableRules returns the rules of the program that get a formula.
func suitableRules(f *sat.Formula) (rules []variant) {
	for _, name := range workloads.RuleNames() {
		if v := findVariant(name); v.suits(f) {
			rules = append(rules, v)
		}
	}
	return rules
}
