package workloads

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/simplify"
)

// SimplifyNames lists the values of SAT.Simplify. "auto" uses the techniques that help the rule
// for rules whose purpose is an answer, and none for rules whose purpose is to study the tree.
// "on" uses all techniques. Any number of techniques can be named instead.
func SimplifyNames() []string {
	names := []string{"auto", "on", simplifyOff}
	for _, t := range techniques {
		names = append(names, t.name)
	}
	return names
}

// simplifyOff switches simplification and the presearch of rule cubes off.
const simplifyOff = "off"

// technique is a technique of simplification with its switch.
type technique struct {
	name  string
	on    func(*simplify.Options)
	loses bool // it loses models
}

// techniques lists all techniques of simplification and their switches.
var techniques = []technique{
	{name: "pure", on: func(o *simplify.Options) { o.Pure = true }, loses: true},
	{name: "subsume", on: func(o *simplify.Options) { o.Subsume = true }},
	{name: "failed", on: func(o *simplify.Options) { o.Failed = true }},
	{name: "equivalent", on: func(o *simplify.Options) { o.Equivalent = true }},
	{name: "xor", on: func(o *simplify.Options) { o.XOR = true }},
	{name: "eliminate", on: func(o *simplify.Options) { o.Eliminate = true }, loses: true},
	{name: "vivify", on: func(o *simplify.Options) { o.Vivify = true }},
}

// ruleTechniques returns the techniques that "auto" uses for a rule.
func ruleTechniques(rule string) simplify.Options {
	if rule == cdclRule {
		return simplify.LearningTechniques()
	}
	return simplify.LookaheadTechniques()
}

// Simplified describes the effect of simplification on a formula.
type Simplified struct {
	Variables int     `json:"variables"` // number of variables that still occur
	Clauses   int     `json:"clauses"`
	Literals  int     `json:"literals"`
	Refuted   bool    `json:"refuted"` // the formula has no model and needs no search
	Seconds   float64 `json:"seconds"`

	Units        int `json:"units"`        // variables fixed, except pure ones
	Pure         int `json:"pure"`         // variables fixed as pure literals
	Equivalent   int `json:"equivalent"`   // variables replaced by an equivalent literal
	Failed       int `json:"failed"`       // failed literals
	Subsumed     int `json:"subsumed"`     // clauses removed because another clause is a subset
	Strengthened int `json:"strengthened"` // literals removed by self-subsuming resolution
	XORs         int `json:"xors"`         // parity constraints found among the clauses
	Eliminated   int `json:"eliminated"`   // variables eliminated by resolution
	Resolvents   int `json:"resolvents"`   // clauses added by that
	Vivified     int `json:"vivified"`     // literals removed by vivification
	Lemmas       int `json:"lemmas"`       // lines of the proof
}

// simplifyOptions reports whether the formula must be simplified before the search, and by which
// techniques. If models are counted, techniques that lose models are off.
func (w *SAT) simplifyOptions() (on bool, o simplify.Options, err error) {
	switch w.Simplify {
	case "on":
		on, o = true, simplify.AllTechniques()
	case simplifyOff:
	case "auto", "":
		on, o = w.simplifies(), ruleTechniques(w.ruleName())
	default:
		on = true
		o, err = w.namedTechniques()
	}
	if w.All {
		o = o.KeepingModels()
	}
	return on, o, err
}

// namedTechniques returns the techniques that the user has named.
func (w *SAT) namedTechniques() (o simplify.Options, err error) {
	for name := range strings.SplitSeq(w.Simplify, ",") {
		i := slices.IndexFunc(techniques, func(t technique) bool { return t.name == name })
		if i < 0 {
			return o, run.FlagError("simplify", fmt.Errorf("%q: expected one of %s, or several techniques separated by commas", name, strings.Join(SimplifyNames(), ", ")))
		}
		if w.All && techniques[i].loses {
			return o, run.FlagError("simplify", fmt.Errorf("%s loses models, which --all counts: expected other techniques, or no --all", name))
		}
		techniques[i].on(&o)
	}
	return o, nil
}

// simplifyFormula returns the formula that is searched instead of the input. The proof begins
// with the lemmas of the simplification.
func (w *SAT) simplifyFormula(f *sat.Formula, o simplify.Options) *sat.Formula {
	start := time.Now()
	if w.proof != nil {
		o.Lemma, o.Delete = w.proof.writer.WriteLemma, w.proof.writer.WriteDeletion
	}
	w.takeSimplified(simplify.Run(f, o), time.Since(start).Seconds())
	return w.reduced.Formula
}

// simplifyForLearning simplifies the input by the techniques for clause learning, and returns nil if
// the user has named techniques. The result is the formula that rule cdcl searches, whatever was done
// before. The search uses it after takeSimplified. The lemmas are in the proof in any case: they follow
// from the clauses of the input, which the proof does not delete before the formula of the search is known.
func (w *SAT) simplifyForLearning() *simplify.Result {
	if w.Simplify != "" && w.Simplify != "auto" {
		return nil
	}
	o := simplify.LearningTechniques()
	o.MaxVariable = w.reduced.MaxVariable
	if w.proof != nil {
		o.Lemma, o.Delete = w.proof.writer.WriteLemma, w.proof.writer.WriteDeletion
	}
	return simplify.Run(w.formula, o)
}

// deleteObsolete deletes the clauses in the proof that the search of the simplified formula does not need. A check of
// the proof would spend most of its time on the clauses of eliminated variables.
func (w *SAT) deleteObsolete() {
	if w.reduced == nil || w.proof == nil {
		return
	}
	for clause := range w.reduced.Obsolete() {
		w.proof.writer.WriteDeletion(clause)
	}
}

// takeSimplified makes a simplified formula the one that is searched.
func (w *SAT) takeSimplified(r *simplify.Result, seconds float64) {
	w.reduced = r
	g, s := r.Formula, r.Stats
	w.simplified = &Simplified{
		Variables: countOccurring(g), Clauses: g.Len(), Literals: g.LiteralCount(), Refuted: r.Refuted, Seconds: seconds,
		Units: s.Units, Pure: s.Pure, Equivalent: s.Equivalent, Failed: s.Failed,
		Subsumed: s.Subsumed, Strengthened: s.Strengthened, XORs: s.XORs,
		Eliminated: s.Eliminated, Resolvents: s.Resolvents, Vivified: s.Vivified, Lemmas: s.Lemmas,
	}
}

// countOccurring returns the number of variables that occur in a formula.
func countOccurring(f *sat.Formula) (n int) {
	seen := make([]bool, f.Variables+1)
	for _, clause := range f.Clauses() {
		for _, l := range clause {
			if v := max(l, -l); !seen[v] {
				seen[v] = true
				n++
			}
		}
	}
	return n
}
