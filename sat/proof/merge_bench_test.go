package proof_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/proof"
)

// BenchmarkMerge merges the logs of a tree of 191,801 nodes.
func BenchmarkMerge(b *testing.B) {
	for _, format := range []proof.Format{proof.Text, proof.Binary} {
		b.Run(format.String(), func(b *testing.B) {
			s := newShares(rand.New(rand.NewPCG(1, 1)), sat.NewPaper(formula(b, "php", 0, map[string]float64{"n": 7})), 2, true)
			for !s.all[0].Empty() {
				s.all[0].Expand(1000)
				s.move(b, s.all[0])
				for s.all[1].Expand(1000) > 0 {
				}
			}
			streams := s.streams()
			b.ReportAllocs()
			b.ResetTimer()
			lines := int64(0)
			for b.Loop() {
				w := proof.NewWriter(io.Discard, format)
				nodes, err := proof.MergeLogs(w, streams)
				if err != nil || nodes != s.expanded() {
					b.Fatal(nodes, err)
				}
				lines += w.LemmaCount() + w.DeletionCount()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lines), "ns/line")
		})
	}
}
