package chaos

import (
	"math/rand/v2"

	"treesplit/search"
)

// share is a Work that refuses some of the splits. It has all facets and hands them on, as
// far as the Work within has them: what that cannot do is not asked for (leg.schemes).
type share struct {
	search.Work
	refuse *rand.Rand
	oneIn  int // splits are refused; 0: none
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

// Pack is the share's within; it is never refused.
func (s *share) Pack(dst []byte) []byte { return s.Work.(search.Packer).Pack(dst) }

// Subtask is the share's within.
func (s *share) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	return s.Work.(search.Subtasker).Subtask(dst, depth, limit)
}

// Bisect is the share's within.
func (s *share) Bisect(k int, part uint64) (expanded, redundant int) {
	return s.Work.(search.Bisecter).Bisect(k, part)
}

// Decided says that the share within has met a witness.
func (s *share) Decided() bool { return search.Decided(s.Work) }

// Bound is the least value that the share within knows of.
func (s *share) Bound() int64 { return search.BoundOf(s.Work) }

// Tighten tells the share within of a better solution.
func (s *share) Tighten(value int64) { search.TightenTo(s.Work, value) }

// Weight and Open are the share's within.
func (s *share) Weight() float64 { return search.SizeOf(s.Work).Weight }
func (s *share) Open() int       { return search.SizeOf(s.Work).Open }

var (
	_ search.Packer    = (*share)(nil)
	_ search.Subtasker = (*share)(nil)
	_ search.Bisecter  = (*share)(nil)
	_ search.Decider   = (*share)(nil)
	_ search.Optimiser = (*share)(nil)
	_ search.Sizer     = (*share)(nil)
)
