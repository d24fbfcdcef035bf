package puzzle

// manhattanEngine is the engine of Manhattan distance for boards of any size, cell by cell.
type manhattanEngine struct {
	grid   *grid
	size   Size
	root   int
	solved Board
	nodes  []Board // by depth
}

func newManhattanEngine(start Board, g *grid) *manhattanEngine {
	return &manhattanEngine{grid: g, size: start.size, root: manhattan(start), solved: SolvedBoard(start.size, BlankFirst), nodes: []Board{start}}
}

func (e *manhattanEngine) rootEstimate() int { return e.root }

func (e *manhattanEngine) reserveDepth(depth int) {
	e.nodes = append(make([]Board, 0, depth+1), e.nodes[0])[:depth+1]
}

func (e *manhattanEngine) unprunedMoves(depth, blank, slack int, legal moves) (open, goals moves) {
	for ; legal != 0; legal &= legal - 1 {
		m := legal.firstMove()
		board := &e.nodes[depth]
		if slack+e.slackChange(board, blank, m) < 0 {
			continue
		}
		open |= 1 << m
		if e.grid.to[blank][m] == 0 && e.boardAfterMove(board, blank, m) == e.solved {
			open &^= 1 << m
			goals |= 1 << m
		}
	}
	return open, goals
}

func (e *manhattanEngine) enterChild(depth, blank, slack int, m Move) int {
	board := &e.nodes[depth]
	e.nodes[depth+1] = e.boardAfterMove(board, blank, m)
	return slack + e.slackChange(board, blank, m)
}

// slackChange is what a move adds to the slack: 0 if the tile comes nearer, else −1.
func (e *manhattanEngine) slackChange(b *Board, blank int, m Move) int {
	to := int(e.grid.to[blank][m])
	tile := int(b.tiles[to])
	if e.size.cellDistance(blank, tile) < e.size.cellDistance(to, tile) {
		return 0
	}
	return -1
}

func (e *manhattanEngine) boardAfterMove(b *Board, blank int, m Move) Board {
	to := e.grid.to[blank][m]
	child := *b
	child.tiles[blank], child.tiles[to] = child.tiles[to], 0
	return child
}
