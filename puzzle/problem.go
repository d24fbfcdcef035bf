package puzzle

import "fmt"

// Problem is a board and the heuristic to solve it with. It does not change: any
// number of searches can use one.
type Problem struct {
	board     Board
	start     Board // the board, turned if need be so that the blank belongs first
	grid      *grid
	heuristic Heuristic
	estimate  int // of the start
}

// Heuristic is a lower bound on the moves to the goal. Every value of it changes by
// an odd number with each move. Manhattan, Walking and Patterns are the ones there
// are.
type Heuristic interface {
	// String is the heuristic's short name.
	String() string
	// newEngine returns what a search from a board whose blank belongs first needs, or
	// an error if the heuristic does not serve boards of its size.
	newEngine(start Board, g *grid) (engine, error)
}

// engine knows the nodes on the way from the root to the one that a search is at, by
// depth; the root's is 0. What it knows of a node makes its children; where the blank
// is, the slack and the moves to try are the search's.
type engine interface {
	// rootEstimate is the heuristic's value of the root.
	rootEstimate() int
	// reserveDepth makes room for nodes down to a depth.
	reserveDepth(depth int)
	// unprunedMoves says which of the moves from the node at a depth lead to children
	// that are not pruned (open) and which to the goal (goals).
	unprunedMoves(depth, blank, slack int, legal moves) (open, goals moves)
	// enterChild makes the child by move m the node at depth+1 and returns its slack.
	enterChild(depth, blank, slack int, m Move) (childSlack int)
}

// New returns the problem of solving a board. An unsolvable one is refused with an
// UnsolvableError, and one of a size that the heuristic does not serve.
func New(b Board, h Heuristic) (*Problem, error) {
	if err := b.CheckSolvable(); err != nil {
		return nil, err
	}
	p := &Problem{board: b, start: b, grid: newGrid(b.size), heuristic: h}
	if b.goal == BlankLast {
		p.start = b.rotated180()
	}
	e, err := h.newEngine(p.start, p.grid)
	if err != nil {
		return nil, err
	}
	p.estimate = e.rootEstimate()
	return p, nil
}

// Board is the board to be solved.
func (p *Problem) Board() Board { return p.board }

// RootEstimate is the heuristic's value of the board: no solution is shorter, and the
// first iteration has it as its bound.
func (p *Problem) RootEstimate() int { return p.estimate }

// mapPathToBoard turns a path of the start into one of the board.
func (p *Problem) mapPathToBoard(path []Move) []Move {
	if p.board.goal == BlankLast {
		for i, m := range path {
			path[i] = m.oppositeMove()
		}
	}
	return path
}

// MaxBound is the largest bound of an iteration, far beyond every solution.
const MaxBound = 1 << 12

// checkBound refuses what is no bound of an iteration.
func (p *Problem) checkBound(bound int) error {
	if bound < p.estimate || bound > MaxBound || (bound-p.estimate)%2 != 0 {
		return fmt.Errorf("puzzle: bound %d: expected the estimate, %d, plus an even number, up to %d", bound, p.estimate, MaxBound)
	}
	return nil
}
