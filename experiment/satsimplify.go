package experiment

import (
	"fmt"
	"time"

	"treesplit/sat"
	"treesplit/sat/simplify"
)

// SimplifyNames are the values of SAT.Simplify: "auto" is on for rules that are for
// answers, and off for those whose trees are what one wants to see.
func SimplifyNames() []string { return []string{"auto", "on", "off"} }

// Simplified says what simplification has made of a formula.
type Simplified struct {
	Variables int     `json:"variables"` // that still occur
	Clauses   int     `json:"clauses"`
	Literals  int     `json:"literals"`
	Refuted   bool    `json:"refuted"` // there is no model, and nothing to search
	Seconds   float64 `json:"seconds"`

	Units        int `json:"units"`        // variables fixed, pure ones aside
	Pure         int `json:"pure"`         // variables fixed as pure literals
	Equivalent   int `json:"equivalent"`   // variables replaced by an equivalent literal
	Failed       int `json:"failed"`       // failed literals
	Subsumed     int `json:"subsumed"`     // clauses dropped for a subset of them
	Strengthened int `json:"strengthened"` // literals removed by self-subsuming resolution
	XORs         int `json:"xors"`         // parities found among the clauses
	Lemmas       int `json:"lemmas"`       // lines of the proof
}

// simplifies says whether the formula is to be simplified before the search.
func (w *SAT) simplifies() (bool, error) {
	switch w.Simplify {
	case "on":
		return true, nil
	case "off":
		return false, nil
	case "auto", "":
		r, err := w.rule()
		return r.simplify, err
	}
	return false, badFlag("simplify", fmt.Errorf("%q: expected auto, on or off", w.Simplify))
}

// simplify returns the formula that is searched in place of the input. The lemmas that
// lead there begin the proof.
func (w *SAT) simplify(f *sat.Formula) *sat.Formula {
	start, o := time.Now(), simplify.All()
	if w.proof != nil {
		o.Lemma, o.Delete = w.proof.writer.Lemma, w.proof.writer.Delete
	}
	w.reduced = simplify.Run(f, o)
	g, s := w.reduced.Formula, w.reduced.Stats
	w.simplified = &Simplified{
		Variables: occurring(g), Clauses: g.Len(), Literals: g.Literals(), Refuted: w.reduced.Refuted, Seconds: time.Since(start).Seconds(),
		Units: s.Units, Pure: s.Pure, Equivalent: s.Equivalent, Failed: s.Failed,
		Subsumed: s.Subsumed, Strengthened: s.Strengthened, XORs: s.XORs, Lemmas: s.Lemmas,
	}
	return g
}

// occurring is the number of variables that occur in a formula.
func occurring(f *sat.Formula) (n int) {
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

// Simplified says what simplification did, or nil where there was none. On rank 0 alone.
func (w *SAT) Simplified() *Simplified { return w.simplified }
