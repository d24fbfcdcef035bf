package puzzle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Goal is the goal cell of the blank.
type Goal uint8

const (
	// BlankFirst is the goal 0 1 2 … row by row, with the blank in the top left corner, as in
	// Korf's instances.
	BlankFirst Goal = iota
	// BlankLast is the goal 1 2 … 0, with the blank in the bottom right corner, as on the toy.
	BlankLast
)

// ParseGoal reads "first" or "last".
func ParseGoal(text string) (Goal, error) {
	for _, g := range []Goal{BlankFirst, BlankLast} {
		if strings.EqualFold(text, g.String()) {
			return g, nil
		}
	}
	return BlankFirst, fmt.Errorf("unknown goal %q: expected first or last, where the blank belongs", text)
}

// String returns the name that ParseGoal reads.
func (g Goal) String() string {
	if g == BlankLast {
		return "last"
	}
	return "first"
}

// Board is a sliding-tile puzzle: the places of the tiles, and the goal. Boards can be compared
// by ==.
type Board struct {
	size  Size
	goal  Goal
	tiles [maxCells]uint8 // row by row; 0 is the blank
}

// ParseBoard reads a board from its tiles, row by row, with 0 for the blank, separated by spaces
// or commas. The zero size means a square board with as many cells as tiles. An error describes
// what is wrong with the list. ParseBoard does not check that the goal can be reached;
// CheckSolvable does.
func ParseBoard(text string, size Size, goal Goal) (Board, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' })
	if size == (Size{}) {
		s, ok := squareSize(len(words))
		if !ok {
			return Board{}, fmt.Errorf("the number of tiles is %d: expected 4, 9, 16 or 25 with the blank 0; --size sets other sizes", len(words))
		}
		size = s
	}
	if !size.isInRange() {
		return Board{}, fmt.Errorf("size %v: expected 2x2 to %dx%d", size, MaxSide, MaxSide)
	}
	if len(words) != size.CellCount() {
		return Board{}, fmt.Errorf("the number of tiles is %d: expected %d with the blank 0 on a board of size %v", len(words), size.CellCount(), size)
	}
	tiles := make([]int, len(words))
	for i, w := range words {
		t, err := strconv.Atoi(w)
		if err != nil {
			return Board{}, fmt.Errorf("tile %d is %q: expected a number", i+1, w)
		}
		tiles[i] = t
	}
	return NewBoard(tiles, size, goal)
}

// NewBoard makes a board of tiles given row by row, as ParseBoard does.
func NewBoard(tiles []int, size Size, goal Goal) (Board, error) {
	b := Board{size: size, goal: goal}
	if !size.isInRange() || len(tiles) != size.CellCount() {
		return Board{}, fmt.Errorf("%d tiles on a board of size %v: expected as many as cells, 2x2 to %dx%d", len(tiles), size, MaxSide, MaxSide)
	}
	seen := make([]int, len(tiles)) // number of occurrences
	for i, t := range tiles {
		if t < 0 || t >= len(tiles) {
			return Board{}, fmt.Errorf("tile %d is out of range: expected 0 to %d", t, len(tiles)-1)
		}
		seen[t]++
		b.tiles[i] = uint8(t)
	}
	if wrong := listMiscountedTiles(seen); len(wrong) > 0 {
		return Board{}, errors.New(strings.Join(wrong, ", "))
	}
	return b, nil
}

// listMiscountedTiles describes the tiles that do not occur exactly once.
func listMiscountedTiles(seen []int) (wrong []string) {
	for t, n := range seen {
		switch {
		case n == 0:
			wrong = append(wrong, fmt.Sprintf("tile %d is missing", t))
		case n == 2:
			wrong = append(wrong, fmt.Sprintf("tile %d occurs twice", t))
		case n > 2:
			wrong = append(wrong, fmt.Sprintf("tile %d occurs %d times", t, n))
		}
	}
	return wrong
}

// Size is the size of the board.
func (b Board) Size() Size { return b.size }

// Goal returns the goal cell of the blank.
func (b Board) Goal() Goal { return b.goal }

// Tiles returns the tiles row by row. The slice belongs to the caller.
func (b Board) Tiles() []int {
	tiles := make([]int, b.size.CellCount())
	for i := range tiles {
		tiles[i] = int(b.tiles[i])
	}
	return tiles
}

// String returns the tiles in the form that ParseBoard reads.
func (b Board) String() string {
	return strings.Trim(fmt.Sprint(b.tiles[:b.size.CellCount()]), "[]")
}

// IsGoalBoard reports whether every tile is at home.
func (b Board) IsGoalBoard() bool { return b == SolvedBoard(b.size, b.goal) }

// SolvedBoard returns the goal itself.
func SolvedBoard(size Size, goal Goal) Board {
	b := Board{size: size, goal: goal}
	n := size.CellCount()
	for i := range n {
		b.tiles[i] = uint8(i)
		if goal == BlankLast {
			b.tiles[i] = uint8((i + 1) % n)
		}
	}
	return b
}

// rotated180 returns the board turned by 180° with its tiles renumbered, so that one goal becomes
// the other: cell p moves to N−1−p and tile t ≠ 0 becomes N−t. A path that solves it solves the
// board if each move is turned.
func (b Board) rotated180() Board {
	n := b.size.CellCount()
	t := Board{size: b.size, goal: BlankLast - b.goal}
	for p := range n {
		if tile := int(b.tiles[p]); tile != 0 {
			t.tiles[n-1-p] = uint8(n - tile)
		}
	}
	return t
}

// blankCell returns the cell of the blank.
func (b Board) blankCell() int { return b.cellOfTile(0) }

// cellOfTile returns the cell of a tile.
func (b Board) cellOfTile(tile uint8) int {
	for p := range b.size.CellCount() {
		if b.tiles[p] == tile {
			return p
		}
	}
	panic("puzzle: a board that no constructor made")
}
