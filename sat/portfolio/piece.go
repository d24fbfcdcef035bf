package portfolio

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/internal/wire"
	"treesplit/search"
)

// A piece is an attempt and a list of attempts:
//
//	byte     pieceVersion
//	uvarint  the attempt
//	uvarint  the part of the attempt that begins
//	uvarint  the first attempt of the list
//	uvarint  the step from one attempt of the list to the next; 0: the list is empty
//
// The engine is not sent: it has megabytes, and the formula and the seed give it again. If the
// attempt comes back to the same process, its engine waits in the depot. Otherwise the attempt
// begins again.
const pieceVersion = 2

// mostAttempts bounds the numbers of attempts, parts and steps.
const mostAttempts = 1 << 40

// list is the attempts next, next+step, …; it is empty if step is 0.
type list struct{ next, step uint64 }

// isEmpty reports whether the list has no attempt.
func (l list) isEmpty() bool { return l.step == 0 }

// from returns the list of every n-th attempt, after the given number of attempts.
func (l list) from(skipped, n uint64) list {
	l.next += skipped * l.step
	l.step *= n
	if l.next >= mostAttempts || l.step >= mostAttempts {
		return list{}
	}
	return l
}

// Split gives away the first attempt of the list and, under rule Half, every other one after it.
// The current attempt stays.
func (s *Share) Split(dst []byte) (piece []byte, ok bool) {
	if !s.held || s.list.isEmpty() || s.Decided() {
		return dst, false
	}
	first := Key{Attempt: s.list.next}
	if s.rule == search.Bottom {
		s.list = s.list.from(1, 1)
		return appendPiece(dst, first, list{}), true
	}
	given := s.list.from(2, 2)
	s.list = s.list.from(1, 2)
	return appendPiece(dst, first, given), true
}

// Settled reports whether the share may move. An engine that has settled once may always move, because
// most of its moves are inside one process, and lose nothing.
func (s *Share) Settled() bool { return !s.held || s.run != nil && s.run.nodes >= s.run.due }

// Pack gives away the whole share. The engine goes to the depot. It panics on an empty share.
func (s *Share) Pack(dst []byte) (piece []byte) {
	if !s.held {
		panic("portfolio: nothing to pack: expected a share with an attempt")
	}
	s.leaveEngine()
	dst = appendPiece(dst, s.now, s.list)
	s.dropAll()
	return dst
}

// leaveEngine ends the current part of the attempt, if it has begun, and stores the engine in the
// depot. The engine that the share has left before is removed: if it is still there, its attempt
// went to another process, and will not come back under that name.
func (s *Share) leaveEngine() {
	if s.run == nil {
		return
	}
	s.now.Part++
	if s.of.depot == nil {
		return
	}
	if s.left != nil {
		s.of.depot.Fetch(*s.left)
	}
	key := s.now
	s.of.depot.Leave(key, s.run)
	s.left = &key
}

// dropAll makes the share empty.
func (s *Share) dropAll() { s.held, s.run, s.list = false, nil, list{} }

// appendPiece appends the encoding of a piece.
func appendPiece(dst []byte, now Key, rest list) []byte {
	dst = append(dst, pieceVersion)
	for _, n := range [...]uint64{now.Attempt, now.Part, rest.next, rest.step} {
		dst = binary.AppendUvarint(dst, n)
	}
	return dst
}

var (
	errNotEmpty = errors.New("a share that still has work cannot accept a piece")
	errPiece    = fmt.Errorf("this is not a piece of a portfolio, version %d: expected four numbers below 2^40", pieceVersion)
)

// Accept takes over a piece.
func (s *Share) Accept(piece []byte) error {
	if s.held {
		return errNotEmpty
	}
	now, rest, err := parsePiece(piece)
	if err == nil {
		s.hold(now, rest)
	}
	return err
}

// KeyOf returns the part of an attempt that begins with a piece.
func KeyOf(piece []byte) (Key, error) {
	now, _, err := parsePiece(piece)
	return now, err
}

// parsePiece decodes a piece.
func parsePiece(piece []byte) (now Key, rest list, err error) {
	if len(piece) == 0 || piece[0] != pieceVersion {
		return Key{}, list{}, errPiece
	}
	in := wire.NewReader(piece[1:])
	var n [4]uint64
	for i := range n {
		n[i] = in.Uvarint(mostAttempts - 1)
	}
	if in.Err() != nil || len(in.Rest()) > 0 || n[3] == 0 && n[2] != 0 {
		return Key{}, list{}, errPiece
	}
	return Key{n[0], n[1]}, list{n[2], n[3]}, nil
}

// Bisect makes the share one of 2^k parts: part p has the attempts p, p + 2^k, … No node is
// expanded. It panics on a share that has begun.
func (s *Share) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.run != nil {
		panic("portfolio: a share that has begun cannot be bisected")
	}
	search.NewWay(k, part) // panics on a part that does not exist
	s.dropAll()
	if part < mostAttempts {
		s.hold(Key{Attempt: part}, list{part, 1 << k}.from(1, 1))
	}
	return 0, 0
}

// HasEvenParts means that no look at the parts is necessary to choose their number.
func (s *Share) HasEvenParts() {}

// Subtask cuts off the current attempt; the next one of the list takes its place. There are 2^depth
// subtasks at a depth, because some schemes cut off subtasks until none is left: attempt 2^depth-1
// is cut off with the rest of the list.
func (s *Share) Subtask(dst []byte, depth, _ int) (piece []byte, expanded int, ok bool) {
	if !s.held || s.Decided() {
		return dst, 0, false
	}
	s.leaveEngine()
	now, rest := s.now, s.list
	s.dropAll()
	if rest.isEmpty() || now.Attempt+1 >= 1<<min(max(depth, 1), 32) {
		return appendPiece(dst, now, rest), 0, true
	}
	s.hold(Key{Attempt: rest.next}, rest.from(1, 1))
	return appendPiece(dst, now, list{}), 0, true
}

var (
	_ search.Decider      = (*Share)(nil)
	_ search.Settler      = (*Share)(nil)
	_ search.Subtasker    = (*Share)(nil)
	_ search.EvenBisecter = (*Share)(nil)
)
