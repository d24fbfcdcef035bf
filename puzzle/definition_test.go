package puzzle

import (
	"math/rand/v2"
	"testing"
)

// heuristics are all that serve a size.
func heuristics(t testing.TB, size Size) []Heuristic {
	t.Helper()
	all := []Heuristic{Manhattan{}, cellByCell{}}
	if max(size.Rows, size.Cols) <= maxWalkingSide {
		all = append(all, walking(t, size))
	}
	if size == (Size{4, 4}) {
		all = append(all, patterns(t))
	}
	return all
}

// The search of every heuristic equals its definition, node by node, with the estimate of each
// board computed again.
func TestSearchIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, size := range []Size{{4, 4}, {3, 3}, {2, 4}, {4, 2}, {3, 5}} {
		for _, h := range heuristics(t, size) {
			for range 4 {
				b := stroll(rng, size, 30)
				b.goal = BlankFirst
				if b.CheckSolvable() != nil {
					b = b.rotated180()
					b.goal = BlankFirst
				}
				if b.CheckSolvable() != nil {
					continue
				}
				p := problem(t, b, h)
				bound := p.RootEstimate() + 2*rng.IntN(3)
				var want Counts
				define(t, &want, b, h, noMove, bound)
				for _, bulk := range []int{0, 2} {
					s := share(t, p, bound, Options{Root: true, All: true, Bulk: bulk})
					for !s.Empty() {
						s.Expand(100)
					}
					if s.Counts() != want {
						t.Fatalf("%v, %v with bound %d and bulk %d: %v, want %v", b, h, bound, bulk, s.Counts(), want)
					}
				}
			}
		}
	}
}

// define adds what a search from a board counts whose estimate is within the bound.
func define(t *testing.T, c *Counts, b Board, h Heuristic, last Move, bound int) {
	if b.IsGoalBoard() {
		c.Solutions++
		return
	}
	c.Expanded++
	for m := Up; m <= Down; m++ {
		child, err := b.ReplayPath([]Move{m})
		if err != nil || last != noMove && m == last.oppositeMove() {
			continue
		}
		c.Generated++
		if problem(t, child, h).RootEstimate() <= bound-1 {
			define(t, c, child, h, m, bound-1)
		}
	}
}
