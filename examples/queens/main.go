// Queens counts the ways to place n queens on a board so that none attacks another. It is a
// complete example of a user's own problem, on goroutines and under MPI, under every scheme. See
// docs/own-problem.md, also for checkpoints.
//
//	go run ./examples/queens -size 10 -scheme grr-m
package main

import (
	"flag"
	"fmt"
	"os"

	"treesplit/run"
	"treesplit/search"
	"treesplit/search/stack"
)

// board is a node: queens in the first rows, and the columns and diagonals that they attack in
// the next row.
type board struct{ Columns, Left, Right uint32 } // one bit per column

// queens is the problem, with the counts of a share.
type queens struct {
	size      int
	solutions int64
}

// The tree: stack.Tree.

func (q *queens) Root() board        { return board{} }
func (q *queens) allColumns() uint32 { return 1<<q.size - 1 }

func (q *queens) Visit(b board) {
	if b.Columns == q.allColumns() {
		q.solutions++
	}
}

func (q *queens) Children(dst []board, b board) []board {
	for free := q.allColumns() &^ (b.Columns | b.Left | b.Right); free != 0; free &= free - 1 {
		queen := free & -free
		dst = append(dst, board{b.Columns | queen, (b.Left | queen) << 1 & q.allColumns(), (b.Right | queen) >> 1})
	}
	return dst
}

func (q *queens) Check(b board) error {
	if (b.Columns|b.Left|b.Right)&^q.allColumns() != 0 {
		return fmt.Errorf("%+v: no board of size %d", b, q.size)
	}
	return nil
}

// The problem, which all ranks have: run.Workload and run.Savable.

func (q *queens) Load() (run.Problem, error) {
	if q.size < 1 || q.size > 31 {
		return nil, fmt.Errorf("-size: %d: expected 1 to 31", q.size)
	}
	return q, nil
}

func (q *queens) Decode([]byte) (run.Problem, error) { return q.Load() } // every rank has the same flags
func (q *queens) Encode() ([]byte, error)            { return nil, nil }
func (q *queens) Identity() string                   { return fmt.Sprintf("queens %d", q.size) }

type share struct {
	*stack.Share[board]
	of *queens
}

func (q *queens) Share(split search.Splitting, root bool) search.Work {
	own := &queens{size: q.size}
	return share{stack.New(own, split, root), own}
}

func (q *queens) Count(w search.Work) run.Counts {
	return run.Counts{Sums: []int64{w.(share).of.solutions}}
}

func (q *queens) Witness(search.Work) []byte { return nil }

func main() {
	q, plan := new(queens), run.DefaultPlan(2)
	flag.IntVar(&q.size, "size", 8, "rows and columns of the board")
	flag.IntVar(&plan.Ranks, "n", plan.Ranks, "goroutine ranks; under mpirun its -n counts")
	flag.StringVar(&plan.Scheme, "scheme", plan.Scheme, "load-balancing scheme")
	flag.DurationVar(&plan.Timeout, "timeout", 0, "end the search after this time")
	flag.Parse()
	err := run.Run(plan, q, run.Hooks{}, func(r *run.Result) error {
		fmt.Printf("%d solutions, %d nodes, %d ranks, %s, %s\n", r.Counts.Sums[0], r.Expanded, r.Ranks, r.Scheme, r.Reason)
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "queens:", err)
		os.Exit(1)
	}
}
