package workloads_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/search"
)

// near returns all boards of 4x4 within depth moves of the goal, with their number of moves, by
// breadth-first search.
func near(t *testing.T, depth int) (boards []puzzle.Board, moves []int) {
	t.Helper()
	boards, moves = append(boards, puzzle.SolvedBoard(puzzle.Size{Rows: 4, Cols: 4}, puzzle.BlankFirst)), append(moves, 0)
	seen := map[puzzle.Board]bool{boards[0]: true}
	for i := 0; i < len(boards) && moves[i] < depth; i++ {
		for m := puzzle.Up; m <= puzzle.Down; m++ {
			b, err := boards[i].ReplayPath([]puzzle.Move{m})
			if err != nil || seen[b] {
				continue
			}
			seen[b] = true
			boards, moves = append(boards, b), append(moves, moves[i]+1)
		}
	}
	return boards, moves
}

// Boards close to the goal, with all iterations searched by all ranks together, are solved in the
// number of moves that breadth-first search gives. A parallel IDA* that accepts a solution too
// early fails on short optima. PUZZLE_ALL takes all boards of up to 12 moves, and each scheme on
// all numbers of ranks.
func TestShortOptimaTogether(t *testing.T) {
	depth, all := 8, os.Getenv("PUZZLE_ALL") != ""
	if all {
		depth = 12
	}
	boards, moves := near(t, depth)
	if want := []int{860, 15_500}; len(boards) != want[0] && len(boards) != want[1] {
		t.Fatalf("%d boards, want %v", len(boards), want)
	}
	for i, scheme := range lb.SchemeNames() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		for _, ranks := range []int{1, 2, 3, 5} {
			if !all && ranks != 2+i%4 && ranks != 3 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", scheme, ranks), func(t *testing.T) {
				w := &workloads.Puzzle{Boards: boards, Heuristic: "md", Bulk: ranks % 3}
				attempts, solved := w.NewAttempts(), 0
				r, err := run.RunOnGoroutines(run.Plan{
					Ranks: ranks, Scheme: scheme, Termination: "ring", Topology: "ring", Seed: 1, Quantum: 1,
					Splitting: search.Splitting{Rule: search.Half, MinOpen: 1}, Splits: 3, Delay: time.Microsecond, Stall: time.Minute,
				}, w, run.Hooks{Step: func(s run.Step) {
					one, err := attempts.RecordStep(s)
					switch {
					case err != nil:
						t.Error(err)
					case one == nil:
						return
					case len(one.Path) != moves[solved]:
						t.Errorf("%v: %d moves, want %d", one.Board, len(one.Path), moves[solved])
					}
					solved++
				}})
				if err != nil || solved != len(boards) {
					t.Fatalf("%d of %d solved: %v", solved, len(boards), err)
				}
				t.Logf("%d boards, %d grants", solved, r.Grants)
			})
		}
	}
}
