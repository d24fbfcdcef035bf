package puzzle

import "fmt"

// UnsolvableError means that no sequence of moves leads from a board to its goal.
type UnsolvableError struct {
	Board    Board
	Odd      bool // the tiles and the blank differ from the goal by an odd permutation
	Distance int  // of the blank from its goal cell, in moves
}

// Error gives the reason.
func (e UnsolvableError) Error() string {
	parity := map[bool]string{false: "even", true: "odd"}
	return fmt.Sprintf("unsolvable: the blank is %d moves from where it belongs, so any solution has an %s number of moves; "+
		"each swaps the blank with a tile, and it takes an %s number of swaps to order the tiles (swapping any two of them makes the board solvable)",
		e.Distance, parity[e.Distance%2 == 1], parity[e.Odd])
}

// CheckSolvable returns nil if a sequence of moves leads to the goal, and otherwise an
// UnsolvableError. Each move is a transposition of the blank with a tile and moves
// the blank by one cell, so that the parity of the permutation and that of the
// blank's distance must agree; on boards of 2x2 and more, this suffices (Johnson
// and Story, "Notes on the 15 puzzle", American Journal of Mathematics 2, 1879).
func (b Board) CheckSolvable() error {
	e := UnsolvableError{Board: b, Odd: b.hasOddPermutation(), Distance: b.size.cellDistance(b.blankCell(), SolvedBoard(b.size, b.goal).blankCell())}
	if e.Odd != (e.Distance%2 == 1) {
		return e
	}
	return nil
}

// hasOddPermutation is the parity of the permutation that takes the board to the goal.
func (b Board) hasOddPermutation() (odd bool) {
	goal := SolvedBoard(b.size, b.goal)
	for p := range b.size.CellCount() {
		for b.tiles[p] != goal.tiles[p] {
			home := goal.cellOfTile(b.tiles[p])
			b.tiles[p], b.tiles[home] = b.tiles[home], b.tiles[p]
			odd = !odd
		}
	}
	return odd
}

// ReplayPath moves the blank along a path. The error names the first move that leads
// off the board.
func (b Board) ReplayPath(path []Move) (Board, error) {
	g := newGrid(b.size)
	at := b.blankCell()
	for i, m := range path {
		if m >= noMove || !g.legal[at][noMove].containsMove(m) {
			return b, fmt.Errorf("move %d of %d, %v, leads off the board", i+1, len(path), m)
		}
		to := int(g.to[at][m])
		b.tiles[at], b.tiles[to] = b.tiles[to], 0
		at = to
	}
	return b, nil
}
