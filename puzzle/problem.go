package puzzle

import "fmt"

// Problem is a board with a heuristic. It does not change. Any number of searches can use one.
type Problem struct {
	board     Board
	start     Board // the board, turned if need be so that the blank belongs first
	grid      *grid
	heuristic Heuristic
	estimate  int // of the start
}

// Heuristic is a lower bound on the moves to the goal. Its value changes by an odd number with
// each move. Manhattan, Walking and Patterns implement it.
type Heuristic interface {
	// String is the heuristic's short name.
	String() string
	// newEngine returns the engine for a search from a board whose blank belongs first. It returns
	// an error if the heuristic does not serve boards of its size.
	newEngine(start Board, g *grid) (engine, error)
}

// engine holds the nodes from the root to the current node of a search, by depth; the root has
// depth 0. It makes the children of a node. The search holds the blank's cell, the slack and the
// moves to try.
type engine interface {
	// rootEstimate returns the heuristic's value of the root.
	rootEstimate() int
	// reserveDepth allocates memory for nodes down to a depth.
	reserveDepth(depth int)
	// unprunedMoves returns the moves from the node at a depth that lead to children that are not
	// pruned (open), and the moves that lead to the goal (goals).
	unprunedMoves(depth, blank, slack int, legal moves) (open, goals moves)
	// enterChild makes the child by move m the node at depth+1 and returns its slack.
	enterChild(depth, blank, slack int, m Move) (childSlack int)
}

// New returns the problem of solving a board. It returns an UnsolvableError if the board cannot
// be solved, and an error if the heuristic does not serve its size.
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

// Board returns the board to be solved.
func (p *Problem) Board() Board { return p.board }

// RootEstimate returns the heuristic's value of the board: no solution is shorter. It is the
// bound of the first iteration.
func (p *Problem) RootEstimate() int { return p.estimate }

// mapPathToBoard converts a path of the start to a path of the board.
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

// checkBound returns an error if bound is not the bound of an iteration.
func (p *Problem) checkBound(bound int) error {
	if bound < p.estimate || bound > MaxBound || (bound-p.estimate)%2 != 0 {
		return fmt.Errorf("puzzle: bound %d: expected the estimate, %d, plus an even number, up to %d", bound, p.estimate, MaxBound)
	}
	return nil
}
