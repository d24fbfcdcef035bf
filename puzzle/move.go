package puzzle

import (
	"fmt"
	"math/bits"
	"strings"
)

// Move is one move of the blank; a tile slides the other way. The order of the constants is the
// order in which children are searched, as in Korf's program.
type Move uint8

// The four moves of the blank.
const (
	Up Move = iota
	Left
	Right
	Down
)

// noMove is the last move of a board that was not moved yet.
const noMove Move = 4

const letters = "ULRD"

// String returns the letter of the move: U, L, R or D.
func (m Move) String() string {
	if m >= noMove {
		return "-"
	}
	return letters[m : m+1]
}

// oppositeMove returns the corresponding move on a board turned by 180°, which is also the move
// that undoes m.
func (m Move) oppositeMove() Move { return Down - m }

// ParsePath reads a path of blank moves, one letter per move, such as "ULDR".
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

// firstMove returns the move of a set that is searched first. The set must not be empty.
func (s moves) firstMove() Move { return Move(bits.TrailingZeros8(uint8(s))) }

func (s moves) countMoves() int { return bits.OnesCount8(uint8(s)) }

// selectRange returns the moves of the set from index from up to, but not including, index to.
func (s moves) selectRange(from, to int) (part moves) {
	for i := 0; s != 0; i, s = i+1, s&(s-1) {
		if from <= i && i < to {
			part |= s & -s
		}
	}
	return part
}
