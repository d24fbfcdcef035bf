package puzzle

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSide is the largest number of rows and of columns of a board.
const MaxSide = 5

const maxCells = MaxSide * MaxSide

// Size is the size of a board, 2 to MaxSide rows and as many columns.
type Size struct{ Rows, Cols int }

// ParseSize reads a size such as "3x5", rows first.
func ParseSize(text string) (Size, error) {
	rows, cols, ok := strings.Cut(strings.ReplaceAll(strings.ToLower(text), "×", "x"), "x")
	r, errR := strconv.Atoi(rows)
	c, errC := strconv.Atoi(cols)
	s := Size{r, c}
	if !ok || errR != nil || errC != nil || !s.isInRange() {
		return Size{}, fmt.Errorf("size %q: expected rows and columns from 2x2 to %dx%d, such as 4x4", text, MaxSide, MaxSide)
	}
	return s, nil
}

func (s Size) isInRange() bool {
	return 2 <= s.Rows && s.Rows <= MaxSide && 2 <= s.Cols && s.Cols <= MaxSide
}

// CellCount returns the number of cells.
func (s Size) CellCount() int { return s.Rows * s.Cols }

// String returns the size as ParseSize reads it.
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// cellDistance is the Manhattan distance of two cells.
func (s Size) cellDistance(a, b int) int {
	return abs(a/s.Cols-b/s.Cols) + abs(a%s.Cols-b%s.Cols)
}

func abs(a int) int { return max(a, -a) }

// squareSize returns the size of a square board with the given number of cells.
func squareSize(cells int) (s Size, ok bool) {
	for n := 2; n <= MaxSide; n++ {
		if n*n == cells {
			return Size{n, n}, true
		}
	}
	return Size{}, false
}

// grid gives the possible moves of the blank on a board of a size.
type grid struct {
	to    [maxCells][4]int8           // the cell that a move leads to, where it is legal
	legal [maxCells][noMove + 1]moves // by cell and last move, which is never taken back
}

func newGrid(s Size) *grid {
	g := new(grid)
	for cell := range s.CellCount() {
		var all moves
		for m, t := range [4]struct {
			ok bool
			by int
		}{{cell >= s.Cols, -s.Cols}, {cell%s.Cols > 0, -1}, {cell%s.Cols < s.Cols-1, 1}, {cell < s.CellCount()-s.Cols, s.Cols}} {
			if t.ok {
				all |= 1 << m
				g.to[cell][m] = int8(cell + t.by)
			}
		}
		g.legal[cell][noMove] = all
		for last := Up; last <= Down; last++ {
			g.legal[cell][last] = all &^ (1 << last.oppositeMove())
		}
	}
	return g
}
