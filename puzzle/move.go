package puzzle

import (
	"fmt"
	"math/bits"
	"strings"
)

// Move is one move of the blank: a tile slides the other way. The order of the
// constants is the order in which children are searched, that of Korf's program.
type Move uint8

// The four moves of the blank.
const (
	Up Move = iota
	Left
	Right
	Down
)

// noMove is the last move of a board that nobody has moved.
const noMove Move = 4

const letters = "ULRD"

// String returns the letter of the move: U, L, R or D.
func (m Move) String() string {
	if m >= noMove {
		return "-"
	}
	return letters[m : m+1]
}

// oppositeMove is the move that does the same on a board turned by 180°, and also the
// one that takes m back.
func (m Move) oppositeMove() Move { return Down - m }

// ParsePath reads a path of blank moves, a letter each, such as "ULDR".
func ParsePath(text string) ([]Move, error) {
	path := make([]Move, 0, len(text))
	for i, c := range text {
		m := strings.IndexRune(letters, c)
		if m < 0 {
			return nil, fmt.Errorf("move %d is %q: expected one of U, L, R and D", i+1, c)
		}
		path = append(path, Move(m))
	}
	return path, nil
}

// FormatPath returns the letters of a path.
func FormatPath(path []Move) string {
	var text strings.Builder
	for _, m := range path {
		text.WriteString(m.String())
	}
	return text.String()
}

// moves is a set of moves: bit m is Move m.
type moves uint8

func (s moves) containsMove(m Move) bool { return s>>m&1 != 0 }

// firstMove is the move of a set that comes first in the order of search; the set is
// not empty.
func (s moves) firstMove() Move { return Move(bits.TrailingZeros8(uint8(s))) }

func (s moves) countMoves() int { return bits.OnesCount8(uint8(s)) }

// selectRange returns the set from its from-th move on, up to but not including the to-th.
func (s moves) selectRange(from, to int) (part moves) {
	for i := 0; s != 0; i, s = i+1, s&(s-1) {
		if from <= i && i < to {
			part |= s & -s
		}
	}
	return part
}
