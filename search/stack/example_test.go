package stack_test

import (
	"errors"
	"fmt"
	"math/bits"

	"treesplit/search"
	"treesplit/search/stack"
)

// board is a node: the queens in the first rows, and the columns that they attack in the next
// row. Each field has one bit per column.
type board struct{ Columns, Left, Right uint32 }

// queens places 6 queens on a board of 6 × 6 squares so that none attacks another.
type queens struct{ solutions int }

const allColumns = 1<<6 - 1

func (q *queens) Root() board { return board{} }

func (q *queens) Visit(b board) {
	if b.Columns == allColumns {
		q.solutions++
	}
}

func (q *queens) Children(dst []board, b board) []board {
	for free := allColumns &^ (b.Columns | b.Left | b.Right); free != 0; free &= free - 1 {
		queen := free & -free
		dst = append(dst, board{b.Columns | queen, (b.Left | queen) << 1 & allColumns, (b.Right | queen) >> 1})
	}
	return dst
}

func (q *queens) Check(b board) error {
	if bits.Len32(b.Columns|b.Left|b.Right) > 6 {
		return errors.New("the board has more than 6 columns")
	}
	return nil
}

// The first step: a share that holds the whole tree is searched to its end.
func Example() {
	problem := &queens{}
	share := stack.New(problem, search.DefaultSplitting, true)
	nodes := 0
	for !share.Empty() {
		nodes += share.Expand(10) // at most 10 nodes per call
	}
	fmt.Println(nodes, "nodes,", problem.solutions, "solutions")
	// Output: 153 nodes, 4 solutions
}

// The second step: half of the open nodes is split off as a piece, a slice of bytes. Another
// share accepts the piece. The two shares together expand each node once.
func ExampleShare_Split() {
	here, there := &queens{}, &queens{}
	donor := stack.New(here, search.DefaultSplitting, true)
	requester := stack.New(there, search.DefaultSplitting, false)

	nodes := donor.Expand(10)
	piece, ok := donor.Split(nil)
	fmt.Println("after", nodes, "nodes: a piece was split off:", ok)
	if err := requester.Accept(piece); err != nil {
		fmt.Println(err)
	}
	donated, kept := requester.Expand(1000), donor.Expand(1000)
	fmt.Println(donated, "nodes in the piece,", kept, "nodes kept,", nodes+donated+kept, "in all")
	fmt.Println(here.solutions+there.solutions, "solutions")
	// Output:
	// after 10 nodes: a piece was split off: true
	// 80 nodes in the piece, 63 nodes kept, 153 in all
	// 4 solutions
}
