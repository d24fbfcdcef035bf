package lookahead

import (
	"math"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// Both ways to compute the shrinkage of short clauses agree with the definition, at nodes with many and
// with few open clauses, and the rule uses both.
func TestShrinkage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 41))
	uses := map[bool]int{}
	for range 60 {
		n := 100 + rng.IntN(150)
		f := ruletest.RandomFormula(rng, n, n*(20+rng.IntN(25))/10, 3)
		for range n / 8 {
			f.AddClause(int32(1+rng.IntN(n)), int32(-1-rng.IntN(n)))
		}
		w := New(f).newWalk()
		for literal := sat.NoLiteral; ; {
			branch, outcome := w.Visit(literal, nil)
			if outcome != sat.Inner {
				break
			}
			uses[w.isDense()]++
			checkShrinkage(t, w, rng)
			literal = branch ^ int32(rng.IntN(2))
		}
	}
	if uses[true] < 20 || uses[false] < 20 {
		t.Errorf("loops over all clauses at %d nodes, over lists at %d: too few to test the choice", uses[true], uses[false])
	}
}

// checkShrinkage compares both ways with sums over the clauses of the formula and the clauses that were
// added.
func checkShrinkage(t *testing.T, w *walk, rng *rand.Rand) {
	t.Helper()
	free := make([]float32, len(w.stamp))
	want := make([]float64, len(w.stamp))
	for l, s := range w.stamp {
		want[l] = leastWeight
		if s < isTrue {
			free[l] = 0.1 + 3*rng.Float32()
		}
	}
	isFree := func(l int32) bool { return w.stamp[l] < isTrue }
	for _, b := range w.rule.binaries {
		want[b[0]^1] += binaryWeight * float64(free[b[1]])
		want[b[1]^1] += binaryWeight * float64(free[b[0]])
	}
	for _, g := range w.grown {
		want[g.from] += binaryWeight * float64(free[g.to])
	}
	for _, c := range w.rule.ternaries {
		if isFree(c[0]) && isFree(c[1]) && isFree(c[2]) {
			for i, l := range c {
				want[l^1] += float64(free[c[(i+1)%3]]) * float64(free[c[(i+2)%3]])
			}
		}
	}
	for name, shrink := range map[string]func(to, free []float32){"clauses": w.shrinkClauses, "lists": w.shrinkLists} {
		got := make([]float32, len(w.stamp))
		shrink(got, free)
		for l := range got {
			if isFree(int32(l)) && math.Abs(float64(got[l])-want[l]) > 1e-5*want[l] {
				t.Fatalf("by %s, %d of %d variables assigned: literal %d has shrinkage %v instead of %v", name, len(w.trail), len(w.rule.names), l, got[l], want[l])
			}
		}
	}
}
