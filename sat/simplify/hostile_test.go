package simplify

import (
	"testing"

	"treesplit/sat"
)

// hostile are large formulas that a careless loop would take quadratic time on.
func hostile(n int32) map[string]*sat.Formula {
	all := map[string]*sat.Formula{}
	add := func(name string, build func(f *sat.Formula)) {
		f := &sat.Formula{}
		build(f)
		all[name] = f
	}
	add("copies", func(f *sat.Formula) {
		for range n {
			f.AddClause(1, -2, 3)
		}
	})
	add("parity copies", func(f *sat.Formula) {
		for i := range n {
			f.AddClause(1-2*(i&1), 2-4*(i>>1&1), 3-6*((i^i>>1^1)&1))
		}
	})
	long := func(sign int32) []int32 {
		clause := make([]int32, n)
		for i := range clause {
			clause[i] = sign * int32(i+1)
		}
		return clause
	}
	add("long clause", func(f *sat.Formula) { f.AddClause(long(1)...); f.AddClause(long(-1)...) })
	add("long clause and a chain", func(f *sat.Formula) {
		f.AddClause(long(1)...)
		f.AddClause(-1)
		for i := range n - 1 {
			f.AddClause(i+1, -i-2)
		}
	})
	add("long clause loses literals", func(f *sat.Formula) {
		f.AddClause(long(1)...)
		for i := range n - 1 {
			f.AddClause(-i-1, i+2)
		}
	})
	add("cycle", func(f *sat.Formula) {
		for i := range n {
			f.AddClause(-i-1, (i+1)%n+1)
			f.AddClause(i+1, (i+1)%n+1, (i*7919+1)%n+1)
		}
	})
	add("binary clauses of one literal", func(f *sat.Formula) {
		for i := range n {
			f.AddClause(1, i+2)
			f.AddClause(-1, -i-2)
		}
	})
	add("implications in a row", func(f *sat.Formula) {
		for i := range n {
			f.AddClause(-i-1, i+2)
			f.AddClause(-i-1, -i-2, i+3)
		}
	})
	add("ladder of squares", func(f *sat.Formula) {
		m := int32(1)
		for m*m < n {
			m++
		}
		for i := range m {
			for j := range i {
				f.AddClause(-i-1, -j-1)
			}
		}
		f.AddClause(long(1)[:m]...)
	})
	return all
}

// Large formulas made to be slow go through, and each answer is what its maker knows.
func TestHostile(t *testing.T) {
	unsatisfiable := map[string]bool{"long clause and a chain": true}
	n := int32(200_000)
	if testing.Short() {
		n = 20_000
	}
	for name, f := range hostile(n) {
		r := Run(f, AllTechniques())
		if r.Refuted != unsatisfiable[name] {
			t.Errorf("%s: refuted: %v", name, r.Refuted)
		}
	}
}
