package ksbf

import "testing"

// BenchmarkProcessor measures one rank with its queue, joins and credits. BenchmarkLoop
// measures the plain loop, for comparison in the same run.
func BenchmarkProcessor(b *testing.B) { eachBenched(b, func(w Workload) int64 { return alone(w) }) }

func BenchmarkLoop(b *testing.B) { eachBenched(b, func(w Workload) int64 { return loop(w).Nodes }) }

func eachBenched(b *testing.B, run func(w Workload) int64) {
	for name, w := range map[string]Workload{
		"tree":       Complete{N: 19},
		"grid":       Grid{N: 700},
		"quadrature": Quadrature{Function: function(b, "sqrt"), To: 1, Tolerance: 1e-15, Resolution: 1e-12},
	} {
		b.Run(name, func(b *testing.B) {
			tasks := int64(0)
			for b.Loop() {
				tasks += run(w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tasks), "ns/task")
		})
	}
}

// alone executes a workload on one rank and returns the number of its tasks.
func alone(w Workload) int64 {
	p := NewProcessor(w)
	p.OfferTask(w.Root())
	for p.ReadyCount() > 0 {
		if _, right, send := p.Execute(); send {
			p.OfferTask(right)
		}
	}
	return p.Tally().Nodes
}
