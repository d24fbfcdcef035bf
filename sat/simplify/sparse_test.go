package simplify

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"treesplit/sat"
)

// Formulas are simplified in the same way if their variables are numbered without gaps.
func TestSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 300 {
		f := mixed(rng)
		for name, o := range techniques {
			if err := verifyRun(f, o, runSparse); err != nil {
				t.Fatalf("formula %d, %s: %v\n%v", i, name, err, f)
			}
		}
		wide := &sat.Formula{Variables: 1 << 20}
		var clause []int32
		for _, literals := range f.Clauses() {
			clause = clause[:0]
			for _, l := range literals {
				clause = append(clause, 100*l)
			}
			wide.AddClause(clause...)
		}
		a, b := Run(f, AllTechniques()), Run(wide, AllTechniques())
		if b.names == nil && f.LiteralCount() > 0 || a.Stats != b.Stats || a.Formula.Len() != b.Formula.Len() || a.Determined() != b.Determined() || b.MaxVariable < wide.Variables {
			t.Fatalf("formula %d: %+v, with wide gaps %+v", i, a, b)
		}
	}
}

// The memory depends on the variables that occur.
func TestSparseMemory(t *testing.T) {
	f := &sat.Formula{Variables: sat.MaxVariables}
	f.AddClause(1, 2)
	f.AddClause(-1, sat.MaxVariables)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := Run(f, AllTechniques())
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 || r.Refuted {
		t.Errorf("%d bytes for two clauses", used)
	}
}
