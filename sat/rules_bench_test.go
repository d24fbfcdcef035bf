package sat_test

import (
	"testing"

	"treesplit/sat"
)

// The rate of nodes of the rules of this package, side by side.
func BenchmarkRules(b *testing.B) {
	for _, name := range []string{"paper", "paper-static", "unit"} {
		for _, c := range []struct {
			name string
			f    *sat.Formula
		}{
			{"random-60-4.3", generateAll(b, "random", map[string]float64{"n": 60, "ratio": 4.3})},
			{"php-9", generate(b, "php", "n", 9)},
			{"adder-7", generate(b, "adder", "n", 7)},
		} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				rule := rules[name](c.f)
				s := sat.NewSearch(rule, sat.Options{Root: true, All: true})
				for left := b.N; left > 0; {
					left -= s.Expand(min(left, 10_000))
					if s.Empty() {
						s = sat.NewSearch(rule, sat.Options{Root: true, All: true})
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			})
		}
	}
}
