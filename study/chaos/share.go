package chaos

import (
	"math/rand/v2"

	"treesplit/search"
)

// share is a search.Wrapper of a Work that refuses some of the splits.
type share struct {
	search.Work
	refuse *rand.Rand
	oneIn  int // one in oneIn splits is refused; 0: none
	piece  func(piece []byte) []byte
}

// Split refuses, or splits.
func (s *share) Split(dst []byte) ([]byte, bool) {
	if s.oneIn > 0 && s.refuse.IntN(s.oneIn) == 0 {
		return dst, false
	}
	piece, ok := s.Work.Split(dst)
	if ok && s.piece != nil {
		piece = s.piece(piece)
	}
	return piece, ok
}

// Unwrap returns the Work within, which has all other capabilities of the share.
func (s *share) Unwrap() search.Work { return s.Work }
