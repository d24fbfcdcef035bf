package puzzle_test

import (
	"fmt"

	"treesplit/puzzle"
	"treesplit/search"
)

// Solve a board whose blank belongs in the bottom right corner.
func Example() {
	b, err := puzzle.ParseBoard("5 1 3 4  2 0 6 8  9 10 7 11  13 14 15 12", puzzle.Size{}, puzzle.BlankLast)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := puzzle.New(b, puzzle.Manhattan{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := p.SolveSequentially(puzzle.Options{Splitting: search.DefaultSplitting, Bulk: puzzle.DefaultBulk})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.SolutionLength(), "moves:", puzzle.FormatPath(r.Path))
	end, err := b.ReplayPath(r.Path)
	fmt.Println(end.IsGoalBoard(), err)
	// Output:
	// 8 moves: LURDRDRD
	// true <nil>
}

// The goal cannot be reached from this one, and the error says why.
func ExampleBoard_CheckSolvable() {
	b, err := puzzle.ParseBoard("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", puzzle.Size{}, puzzle.BlankLast)
	fmt.Println(err)
	fmt.Println(b.CheckSolvable())
	// Output:
	// <nil>
	// unsolvable: the blank is 0 moves from where it belongs, so any solution has an even number of moves; each swaps the blank with a tile, and it takes an odd number of swaps to order the tiles (swapping any two of them makes the board solvable)
}
