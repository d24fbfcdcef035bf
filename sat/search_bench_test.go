package sat

import (
	"math/rand/v2"
	"testing"

	"treesplit/search"
)

// The inner loop, on the formulas of the papers' size and on a structured one.
func BenchmarkExpand(b *testing.B) {
	for _, c := range []struct {
		name string
		f    *Formula
	}{
		{"random-60-4.3", random3SAT(1, 60, 258)},
		{"random-65-5", random3SAT(1, 65, 325)},
		{"php-9", php(9)},
	} {
		b.Run(c.name, func(b *testing.B) {
			rule := NewPaper(c.f)
			s := rule.NewSearch(Options{Root: true, All: true})
			for left := b.N; left > 0; {
				left -= s.Expand(min(left, 10_000))
				if s.Empty() {
					s = rule.NewSearch(Options{Root: true, All: true})
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

// An accept of a piece that gives several alternatives and a split of it, without
// the nodes between.
func BenchmarkSplitAccept(b *testing.B) {
	rule := NewPaper(random3SAT(1, 60, 258))
	s := rule.NewSearch(Options{Splitting: search.DefaultSplitting, Root: true, All: true})
	s.Expand(5000)
	piece, ok := s.Split(nil)
	if !ok {
		b.Fatal("no split")
	}
	s.backOutToEmpty(s.depth - 1)
	var again []byte
	for b.Loop() {
		if err := s.Accept(piece); err != nil {
			b.Fatal(err)
		}
		if again, ok = s.Split(again[:0]); !ok {
			b.Fatal("a piece of many alternatives was not split")
		}
		s.backOutToEmpty(s.depth - 1)
	}
	b.ReportMetric(float64(len(piece)), "B/piece")
}

// The way to one of 2^16 parts, drawn again each time, and the way back from it.
func BenchmarkBisect(b *testing.B) {
	for _, c := range []struct {
		name string
		f    *Formula
	}{
		{"random-60-4.3", random3SAT(1, 60, 258)},
		{"php-9", php(9)},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := NewPaper(c.f).NewSearch(Options{All: true})
			nodes, rng := 0, rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				expanded, redundant := s.Bisect(16, rng.Uint64N(1<<16))
				nodes += expanded + redundant
				s.backOutToEmpty(s.depth - 1)
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/part")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
