package puzzle

import (
	"math/rand/v2"
	"testing"
)

// Every board of 4x4 within 12 moves of the goal is solved in the number of moves that
// breadth-first search gives. A parallel IDA* that accepts a solution too early fails on short
// optima.
func TestShortOptima(t *testing.T) {
	depth := 12
	if testing.Short() {
		depth = 9
	}
	for _, goal := range []Goal{BlankFirst, BlankLast} {
		found := map[int]int{}
		for b, d := range distances(SolvedBoard(Size{4, 4}, goal), depth) {
			r := solve(t, b, Manhattan{}, Options{Bulk: 2 * (d % 2)})
			if r.SolutionLength() != d {
				t.Fatalf("%v, goal %v: %d moves, want %d", b, goal, r.SolutionLength(), d)
			}
			found[d]++
		}
		for d, want := range []int{1, 2, 4, 10, 24, 54, 107, 212, 446, 946} {
			if found[d] != want {
				t.Errorf("%d boards at %d moves, want %d", found[d], d, want)
			}
		}
	}
}

// Boards of other sizes are solved in the number of moves that breadth-first search gives, with
// both engines that serve them.
func TestSmallBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		size  Size
		depth int
		share float64 // of the boards
	}{
		{Size{2, 2}, 1000, 1}, {Size{2, 3}, 1000, 1}, {Size{3, 2}, 1000, 1},
		{Size{2, 4}, 1000, 0.01}, {Size{3, 3}, 1000, 0.001}, {Size{2, 5}, 14, 0.3},
		{Size{3, 4}, 12, 0.1}, {Size{3, 5}, 12, 0.1}, {Size{5, 3}, 12, 0.1},
		{Size{4, 5}, 12, 0.1}, {Size{5, 4}, 12, 0.1}, {Size{5, 5}, 12, 0.1},
	} {
		goal := Goal(rng.IntN(2))
		known := distances(SolvedBoard(c.size, goal), c.depth)
		solved := 0
		for b, d := range known {
			if rng.Float64() >= c.share {
				continue
			}
			solved++
			if r := solve(t, b, Manhattan{}, Options{Bulk: rng.IntN(4)}); r.SolutionLength() != d {
				t.Fatalf("%v: %d moves, want %d", b, r.SolutionLength(), d)
			}
			if r := solve(t, b, cellByCell{}, Options{}); r.SolutionLength() != d {
				t.Fatalf("%v cell by cell: %d moves, want %d", b, r.SolutionLength(), d)
			}
		}
		if solved < len(known)/2000 {
			t.Errorf("%v: only %d of %d boards", c.size, solved, len(known))
		}
	}
}

// cellByCell is Manhattan with manhattanEngine for all boards.
type cellByCell struct{ Manhattan }

func (cellByCell) newEngine(start Board, g *grid) (engine, error) {
	return newManhattanEngine(start, g), nil
}

// The two engines of Manhattan search the same tree in the same order.
func TestEnginesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		b := stroll(rng, Size{2 + rng.IntN(3), 2 + rng.IntN(3)}, 40)
		for _, all := range []bool{false, true} {
			packed := solve(t, b, Manhattan{}, Options{All: all, Bulk: rng.IntN(4)})
			plain := solve(t, b, cellByCell{}, Options{All: all})
			if packed.Total != plain.Total || packed.Korf != plain.Korf || FormatPath(packed.Path) != FormatPath(plain.Path) {
				t.Errorf("%v, all %v: %v and %v", b, all, packed, plain)
			}
		}
	}
}

// stroll is the board after random moves from the goal.
func stroll(rng *rand.Rand, size Size, moves int) Board {
	b := SolvedBoard(size, Goal(rng.IntN(2)))
	for range moves {
		if next, err := b.ReplayPath([]Move{Move(rng.IntN(4))}); err == nil {
			b = next
		}
	}
	return b
}

// A value that is not a bound of an iteration is refused.
func TestBounds(t *testing.T) {
	p, err := New(stroll(rand.New(rand.NewPCG(5, 6)), Size{4, 4}, 60), Manhattan{})
	if err != nil {
		t.Fatal(err)
	}
	for bound, ok := range map[int]bool{
		p.RootEstimate(): true, p.RootEstimate() + 20: true,
		p.RootEstimate() - 2: false, p.RootEstimate() + 1: false, MaxBound + 1: false, MaxBound + 2: false,
	} {
		if _, err := p.NewSearch(bound, Options{}); (err == nil) != ok {
			t.Errorf("bound %d with an estimate of %d: %v", bound, p.RootEstimate(), err)
		}
		if _, err := p.Shape(bound); (err == nil) != ok {
			t.Errorf("the shape with bound %d: %v", bound, err)
		}
	}
}
