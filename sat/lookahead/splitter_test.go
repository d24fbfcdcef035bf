package lookahead

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// decision is a node below the path to it. looked means that a Splitter looks ahead at the node.
type decision struct {
	literal int32
	looked  bool
}

// A Look depends on the path and on the nodes of the path at which the Splitter has looked ahead before, also
// if the weights of few nodes are kept.
func TestLooksAreFunctionsOfThePath(t *testing.T) {
	rule := New(ruletest.RandomFormula(rand.New(rand.NewPCG(5, 5)), 60, 180, 3))
	for _, kept := range []int{1, 2, 4, 100} {
		rng, looks := rand.New(rand.NewPCG(6, 6)), 0
		begin := func() *walk {
			w := rule.newWalk()
			w.kept = kept
			return w
		}
		w := begin()
		var path []decision
		for looks < 200 {
			if rng.IntN(6) == 0 || len(path) == 10 {
				for up := rng.IntN(len(path) + 1); len(path) > up; path = path[:len(path)-1] {
					w.Back()
				}
			}
			d := decision{sat.NoLiteral, rng.IntN(2) == 0}
			if len(path) > 0 {
				d.literal = w.drawFree(rng)
			}
			path = append(path, d)
			holds := w.stepDown(d.literal)
			if holds && d.looked {
				branch, outcome := w.look()
				looks++
				alone := begin()
				b, o := alone.lookAlong(path)
				if b != branch || o != outcome {
					t.Fatalf("weights of %d nodes kept, path %v: branches on %d (%d), and by itself on %d (%d)", kept, path, branch, outcome, b, o)
				}
				for l, s := range w.stamp {
					if s < isTrue && w.weight[l] != alone.weight[l] {
						t.Fatalf("weights of %d nodes kept, path %v: literal %d has weight %v, and by itself %v", kept, path, l, w.weight[l], alone.weight[l])
					}
				}
				holds = outcome == sat.Inner
			}
			if !holds || len(w.trail) == len(rule.names) {
				w.Back()
				path = path[:len(path)-1]
			}
		}
	}
}

// drawFree returns a literal without a value.
func (w *walk) drawFree(rng *rand.Rand) int32 {
	for {
		if l := rng.Int32N(int32(len(w.stamp))); w.stamp[l] < isTrue {
			return l
		}
	}
}

// lookAlong goes along a path and returns the result of the last look.
func (w *walk) lookAlong(path []decision) (branch int32, outcome sat.Outcome) {
	for _, d := range path {
		w.stepDown(d.literal)
		if d.looked {
			branch, outcome = w.look()
		}
	}
	return branch, outcome
}
