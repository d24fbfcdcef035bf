package drat

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// unsatisfiable draws uniform random 3-SAT formulas until one is unsatisfiable, and
// proves it.
func unsatisfiable(b *testing.B, n, m int) ([][]int32, []step) {
	for seed := range uint64(100) {
		formula := random3SAT(rand.New(rand.NewPCG(seed, 3)), n, m)
		if proof := prove(formula, n, 60); proof != nil {
			return formula, proof
		}
	}
	b.Fatal("no unsatisfiable formula")
	return nil, nil
}

// Checking the proof of a tree search over uniform random 3-SAT, n = 250, m = 1150.
func BenchmarkTreeProof(b *testing.B) {
	formula, proof := unsatisfiable(b, 250, 1150)
	for _, format := range []struct {
		name  string
		proof string
	}{{"text", text(proof)}, {"binary", binary(proof)}} {
		b.Run(format.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(format.proof)))
			var r Report
			for b.Loop() {
				var err error
				if r, err = Check(slices.All(formula), strings.NewReader(format.proof), "p", Options{}); err != nil || !r.Verified {
					b.Fatalf("%+v, %v", r, err)
				}
			}
			b.ReportMetric(float64(r.Lemmas), "lemmas")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Lemmas), "ns/lemma")
		})
	}
}

// Checking Cook's proof of the pigeonhole principle, a third of whose lemmas are RAT.
func BenchmarkExtendedResolution(b *testing.B) {
	formula, proof := pigeonhole(12), text(extendedPigeonhole(12))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := Check(slices.All(formula), strings.NewReader(proof), "p", Options{}); err != nil || !r.Verified {
			b.Fatalf("%+v, %v", r, err)
		}
	}
}
