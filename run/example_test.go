package run_test

import (
	"fmt"

	"treesplit/run"
	"treesplit/search"
	"treesplit/search/stack"
)

// exampleBoard is a node of the search: a board with queens in the first rows. It stores which
// squares of the next row these queens attack, by column and by the two diagonals, one bit per
// column.
type exampleBoard struct{ Columns, Left, Right uint32 }

// exampleQueens is the problem: place size queens so that no two attack each other. Each share has
// its own copy, in which it counts its solutions.
type exampleQueens struct {
	size      int
	solutions int64
}

func (q *exampleQueens) Root() exampleBoard { return exampleBoard{} }
func (q *exampleQueens) full() uint32       { return 1<<q.size - 1 }

// Visit counts a solution if every column has a queen.
func (q *exampleQueens) Visit(b exampleBoard) {
	if b.Columns == q.full() {
		q.solutions++
	}
}

// Children appends the boards with one more queen in the next row.
func (q *exampleQueens) Children(dst []exampleBoard, b exampleBoard) []exampleBoard {
	for free := q.full() &^ (b.Columns | b.Left | b.Right); free != 0; free &= free - 1 {
		queen := free & -free
		dst = append(dst, exampleBoard{b.Columns | queen, (b.Left | queen) << 1 & q.full(), (b.Right | queen) >> 1})
	}
	return dst
}

// Check returns an error if another rank has sent a board that does not exist.
func (q *exampleQueens) Check(b exampleBoard) error {
	if (b.Columns|b.Left|b.Right)&^q.full() != 0 {
		return fmt.Errorf("%+v is not a board of size %d", b, q.size)
	}
	return nil
}

// exampleShare is the share of one rank, that is, its part of the search: a stack of nodes, and the
// rank's copy of the problem.
type exampleShare struct {
	*stack.Share[exampleBoard]
	of *exampleQueens
}

func (q *exampleQueens) Encode() ([]byte, error)    { return nil, nil } // all ranks are in this process
func (q *exampleQueens) Witness(search.Work) []byte { return nil }      // only the number of solutions is needed

func (q *exampleQueens) Share(split search.Splitting, root bool) search.Work {
	own := &exampleQueens{size: q.size}
	return exampleShare{stack.New(own, split, root), own}
}

func (q *exampleQueens) Count(w search.Work) run.Counts {
	return run.Counts{Sums: []int64{w.(exampleShare).of.solutions}}
}

// Example counts the ways to place 6 queens on a board of 6x6, on 4 goroutine ranks. The counts
// and W, the number of expanded nodes, do not depend on the number of ranks.
func Example() {
	result, err := run.RunOnGoroutines(run.DefaultPlan(4), run.Loaded{Problem: &exampleQueens{size: 6}}, run.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d solutions, W = %d nodes, %s\n", result.Counts.Sums[0], result.Expanded, result.Reason)
	// Output: 4 solutions, W = 153 nodes, exhausted
}
