package simplify

import (
	"testing"

	"treesplit/sat"
)

// The cost at the size where a search takes about 100 ms, where simplification finds
// nothing and must cost nothing; of structured formulas; and of large ones.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, params string }{
		{"random", "n=250 ratio=4.6"},
		{"random", "n=1000 ratio=4.6"},
		{"random", "n=230000 ratio=4.3"},
		{"multiplier", "n=8"},
		{"adder", "n=64"},
		{"php", "n=10"},
		{"tseitin-torus", "r=8 c=8"},
		{"parity", "n=100000"},
	} {
		b.Run(c.name+" "+c.params, func(b *testing.B) {
			f := family(b, c.name, 1, c.params)
			b.ResetTimer()
			for b.Loop() {
				Run(f, All())
			}
		})
	}
}

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
			f.Add(1, -2, 3)
		}
	})
	add("parity copies", func(f *sat.Formula) {
		for i := range n {
			f.Add(1-2*(i&1), 2-4*(i>>1&1), 3-6*((i^i>>1^1)&1))
		}
	})
	long := func(sign int32) []int32 {
		clause := make([]int32, n)
		for i := range clause {
			clause[i] = sign * int32(i+1)
		}
		return clause
	}
	add("long clause", func(f *sat.Formula) { f.Add(long(1)...); f.Add(long(-1)...) })
	add("long clause and a chain", func(f *sat.Formula) {
		f.Add(long(1)...)
		f.Add(-1)
		for i := range n - 1 {
			f.Add(i+1, -i-2)
		}
	})
	add("long clause loses literals", func(f *sat.Formula) {
		f.Add(long(1)...)
		for i := range n - 1 {
			f.Add(-i-1, i+2)
		}
	})
	add("cycle", func(f *sat.Formula) {
		for i := range n {
			f.Add(-i-1, (i+1)%n+1)
			f.Add(i+1, (i+1)%n+1, (i*7919+1)%n+1)
		}
	})
	add("binary clauses of one literal", func(f *sat.Formula) {
		for i := range n {
			f.Add(1, i+2)
			f.Add(-1, -i-2)
		}
	})
	add("implications in a row", func(f *sat.Formula) {
		for i := range n {
			f.Add(-i-1, i+2)
			f.Add(-i-1, -i-2, i+3)
		}
	})
	add("ladder of squares", func(f *sat.Formula) {
		m := int32(1)
		for m*m < n {
			m++
		}
		for i := range m {
			for j := range i {
				f.Add(-i-1, -j-1)
			}
		}
		f.Add(long(1)[:m]...)
	})
	return all
}

func BenchmarkHostile(b *testing.B) {
	for name, f := range hostile(1_000_000) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Run(f, All())
			}
		})
	}
}
