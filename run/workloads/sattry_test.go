package workloads_test

import (
	"testing"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// After a try that has found a model, the searched formula has no clause for a variable that does not occur.
// The model is complete: ReadResult checks it.
func TestVerdictIsShort(t *testing.T) {
	const last = 1 << 20
	f := &sat.Formula{}
	for _, clause := range ruletest.MakeFamily(t, "langford", 0, "n=12").Clauses() {
		for i, l := range clause {
			switch l {
			case 1:
				clause[i] = last
			case -1:
				clause[i] = -last
			}
		}
		f.AddClause(clause...)
	}
	w := satOf(t, f, "auto")
	defer w.Close()
	p, err := w.Load()
	if err != nil {
		t.Fatal(err)
	}
	if rule, choice := w.PickedRule(); rule != "cdcl" || !choice.Decided {
		t.Fatalf("%s, %+v; want a try that decides", rule, choice)
	}
	data, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 10_000 {
		t.Errorf("the formula with the model takes %d bytes for %d variables that occur", len(data), len(sat.VariableNamesOf(f)))
	}
	w = satOf(t, f, "auto")
	defer w.Close()
	r, err := run.RunOnGoroutines(run.DefaultPlan(2), w, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := w.ReadResult(r); err != nil || len(found.Model) != last {
		t.Errorf("%d values, %v; want a model", len(found.Model), err)
	}
}
