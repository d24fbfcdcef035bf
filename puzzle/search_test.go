package puzzle

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
)

// problem returns the problem of a board under a heuristic.
func problem(t testing.TB, b Board, h Heuristic) *Problem {
	t.Helper()
	p, err := New(b, h)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// share returns a share of the iteration with the given bound.
func share(t testing.TB, p *Problem, bound int, opt Options) *Search {
	t.Helper()
	s, err := p.NewSearch(bound, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree is an iteration of IDA* with a bound. All its nodes are searched, also after a solution.
type tree struct {
	problem *Problem
	bound   int
	counts  Counts
}

// trees returns 12 iterations with least to most nodes, for boards of several sizes.
func trees(t testing.TB, least, most int64) (all []tree) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	for len(all) < 12 {
		size := []Size{{4, 4}, {4, 4}, {4, 4}, {3, 3}, {2, 5}, {5, 3}, {4, 5}, {5, 5}}[len(all)%8]
		hs := heuristics(t, size)
		p := problem(t, stroll(rng, size, 50+rng.IntN(100)), hs[(len(all)*2+len(all)/8)%len(hs)])
		for bound := p.RootEstimate(); ; bound += 2 {
			s := share(t, p, bound, Options{Root: true, All: true})
			for !s.Empty() && s.Counts().Expanded <= most {
				s.Expand(1000)
			}
			if n := s.Counts().Expanded; n > most {
				break
			} else if n >= least {
				all = append(all, tree{p, bound, s.Counts()})
				break
			}
		}
	}
	return all
}

var splittings = map[string]search.Splitting{
	"half":   {Rule: search.Half, MinOpen: 2},
	"bottom": {Rule: search.Bottom, MinOpen: 1},
	"cutoff": {Rule: search.Half, MinOpen: 1, Cutoff: 12},
}

func TestConformance(t *testing.T) {
	most := int64(30_000)
	if testing.Short() {
		most = 3_000
	}
	for i, c := range trees(t, 1000, most) {
		for name, s := range splittings {
			if testing.Short() && i%3 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%d/%v/%s", i, c.problem.Board().Size(), name), func(t *testing.T) {
				searchtest.Run(t,
					func() search.Work { return share(t, c.problem, c.bound, Options{Splitting: s, Root: true, All: true}) },
					func() search.Work { return share(t, c.problem, c.bound, Options{Splitting: s, All: true}) },
					c.counts.Expanded)
			})
		}
	}
}

// Several shares expand nodes, split, pack and accept pieces in a random order. Some of them search
// in bulk, that is, small subtrees at once. Together they expand W nodes, generate all children, and
// find all solutions. A share that finds a solution knows the whole path to it.
func TestCountsOfShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	solutions := int64(0)
	for _, c := range trees(t, 1000, 100_000) {
		for range 10 {
			s := search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1 + rng.IntN(3), Cutoff: rng.IntN(2) * 20}
			var shares []*Search
			for i := range 4 {
				shares = append(shares, share(t, c.problem, c.bound, Options{Splitting: s, Root: i == 0, All: true, Bulk: rng.IntN(5)}))
			}
			if got := shuffleWork(t, rng, shares); got != c.counts {
				t.Fatalf("%v with bound %d: %v, want %v", c.problem.Board(), c.bound, got, c.counts)
			}
			solutions += c.counts.Solutions
		}
	}
	if solutions == 0 {
		t.Error("no tree has a solution: expected at least one")
	}
}

// shuffleWork lets the shares search and exchange pieces at random until no share has work. It
// returns the sum of their counts and checks their solutions.
func shuffleWork(t *testing.T, rng *rand.Rand, shares []*Search) (sum Counts) {
	t.Helper()
	for idle := 0; idle < 200; idle++ {
		w := shares[rng.IntN(len(shares))]
		if n := 1 + rng.IntN(60); w.Expand(n) > 0 {
			idle = 0
			continue
		}
		donor := shares[rng.IntN(len(shares))]
		piece, ok := donor.Split(nil)
		if !ok && !donor.Empty() {
			piece, ok = donor.Pack(nil), true
		}
		if ok {
			if err := w.Accept(piece); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range shares {
		c := w.Counts()
		sum = sum.AddCounts(c)
		if (w.SolutionPath() != nil) != (c.Solutions > 0) {
			t.Fatalf("%d solutions and the path %v", c.Solutions, w.SolutionPath())
		}
		if c.Solutions == 0 {
			continue
		}
		end, err := w.problem.Board().ReplayPath(w.SolutionPath())
		if err != nil || !end.IsGoalBoard() || len(w.SolutionPath()) > w.Bound() {
			t.Fatalf("the path %s with bound %d leads to %v, %v", FormatPath(w.SolutionPath()), w.Bound(), end, err)
		}
	}
	return sum
}

// Without the option All, a share stops at its first solution.
func TestDecided(t *testing.T) {
	for _, bulk := range []int{0, 3} {
		for _, c := range trees(t, 100, 100_000) {
			s := share(t, c.problem, c.bound, Options{Root: true, Bulk: bulk})
			for !s.Empty() && !s.Decided() {
				s.Expand(50)
			}
			if s.Decided() != (c.counts.Solutions > 0) {
				t.Fatalf("decided %v with %d solutions", s.Decided(), c.counts.Solutions)
			}
			if !s.Decided() {
				continue
			}
			if s.Expand(10) != 0 || s.Counts().Solutions != 1 {
				t.Errorf("a decided share continues: %v", s.Counts())
			}
		}
	}
}

// A solved board has a tree without nodes, one solution and an empty path.
func TestSolvedBoard(t *testing.T) {
	for _, size := range []Size{{2, 2}, {4, 4}, {5, 5}} {
		p := problem(t, SolvedBoard(size, BlankLast), Manhattan{})
		for _, bound := range []int{0, 6} {
			for _, all := range []bool{false, true} {
				s := share(t, p, bound, Options{Root: true, All: all, Bulk: DefaultBulk})
				if n := s.Expand(10); n != 0 || !s.Empty() || s.Decided() == all || s.Counts() != (Counts{Solutions: 1}) {
					t.Errorf("%v, all %v: %d expanded, empty %v, decided %v, %v", size, all, n, s.Empty(), s.Decided(), s.Counts())
				}
				if path := s.SolutionPath(); path == nil || len(path) != 0 {
					t.Errorf("the path is %#v", path)
				}
				for part, want := range []int64{1, 0} {
					s := share(t, p, bound, Options{All: all})
					if e, r := s.Bisect(1, uint64(part)); e != 0 || r != 0 || !s.Empty() || s.Counts().Solutions != want {
						t.Errorf("part %d: %d and %d nodes, %v", part, e, r, s.Counts())
					}
				}
			}
		}
		if _, err := p.Shape(0); err == nil {
			t.Error("a solved board has a shape")
		}
	}
}

// In bulk, Expand may expand more nodes than its limit. It never expands fewer while the share has
// work.
func TestExpandInBulk(t *testing.T) {
	for _, c := range trees(t, 50_000, 1_000_000) {
		for _, bulk := range []int{1, 3, MaxBulk} {
			s := share(t, c.problem, c.bound, Options{Root: true, All: true, Bulk: bulk})
			sum := 0
			for step := 1; !s.Empty(); step = step*3%1000 + 1 {
				n := s.Expand(step)
				if sum += n; n < step && !s.Empty() {
					t.Fatalf("Expand(%d) = %d, and the share still has work", step, n)
				}
			}
			if int64(sum) != c.counts.Expanded || s.Counts() != c.counts {
				t.Errorf("bulk %d: %d expanded, %v; want %v", bulk, sum, s.Counts(), c.counts)
			}
		}
	}
}
