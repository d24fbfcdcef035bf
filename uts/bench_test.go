package uts

import (
	"crypto/sha1"
	"math/rand/v2"
	"testing"
	"time"

	"treesplit/search"
)

// benchmarkTree walks a sample tree and prints the cost of a node in units of one crypto/sha1.Sum
// of 24 bytes. Both are measured in turn, so that a busy machine slows down both. Reference: the
// C program takes 1.65 of these units on T1 and 1.35 on T3.
func benchmarkTree(b *testing.B, name string) {
	p, published, _ := FindSample(name)
	var tree, sum time.Duration
	var nodes, sums int64
	for b.Loop() {
		w := share(b, p, search.DefaultSplitting, true)
		for !w.Empty() {
			start := time.Now()
			n := int64(w.Expand(100_000))
			tree += time.Since(start)
			nodes += n
			sum += timeSums(n)
			sums += n
		}
		if w.Result() != published {
			b.Fatalf("%v, want %v", w.Result(), published)
		}
	}
	perNode, perSum := float64(tree)/float64(nodes), float64(sum)/float64(sums)
	b.ReportMetric(perNode, "ns/node")
	b.ReportMetric(perSum, "ns/sha1")
	b.ReportMetric(perNode/perSum, "node/sha1")
}

// timeSums is how long n dependent calls of crypto/sha1.Sum take.
func timeSums(n int64) time.Duration {
	var message [24]byte
	start := time.Now()
	for range n {
		digest := sha1.Sum(message[:])
		copy(message[:], digest[:])
	}
	return time.Since(start)
}

func BenchmarkT1(b *testing.B) { benchmarkTree(b, "T1") }
func BenchmarkT2(b *testing.B) { benchmarkTree(b, "T2") }
func BenchmarkT3(b *testing.B) { benchmarkTree(b, "T3") }
func BenchmarkT4(b *testing.B) { benchmarkTree(b, "T4") }
func BenchmarkT5(b *testing.B) { benchmarkTree(b, "T5") }

// BenchmarkSplit cuts a piece from a stack of a million levels and puts it back.
func BenchmarkSplit(b *testing.B) {
	deep := share(b, balanced(1_000_000, 2), search.DefaultSplitting, true)
	for len(deep.frames) < 900_000 {
		deep.Expand(1000)
	}
	var piece []byte
	for b.Loop() {
		piece, _ = deep.Split(piece[:0])
	}
	b.ReportMetric(float64(len(piece)), "B/piece")
}

// BenchmarkSpawn computes the states of eight children in one call.
func BenchmarkSpawn(b *testing.B) {
	for name, routine := range map[string]func([]state, *state, uint32){"generic": spawnGeneric, "chosen": spawn} {
		b.Run(name, func(b *testing.B) {
			var children [8]state
			for b.Loop() {
				routine(children[:], &children[7], 0)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N*len(children)), "ns/node")
		})
	}
}

// BenchmarkBisect goes to one of 2^16 parts, drawn at random each time.
func BenchmarkBisect(b *testing.B) {
	for _, name := range []string{"T1", "T3"} {
		b.Run(name, func(b *testing.B) {
			p, _, _ := FindSample(name)
			w := share(b, p, search.DefaultSplitting, false)
			nodes, rng := 0, rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				expanded, redundant := w.Bisect(16, rng.Uint64N(1<<16))
				nodes += expanded + redundant
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/part")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
