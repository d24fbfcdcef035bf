package searchtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"treesplit/search"
)

// canPackWork reports whether the work under test is a search.Packer.
func (s suite) canPackWork() bool {
	_, ok := search.As[search.Packer](s.newEmpty())
	return ok
}

// packAndCheck packs a share and checks that it is empty afterwards.
func packAndCheck(w search.Work) (piece []byte, err error) {
	piece = asCapability[search.Packer](w).Pack([]byte("dst"))
	switch {
	case !strings.HasPrefix(string(piece), "dst"):
		return nil, errors.New("method Pack changed the previous contents of dst")
	case len(piece) == 3 || piece[3] >= 128:
		return nil, fmt.Errorf("the piece appended by Pack is %x: expected a first byte below 128", piece[3:])
	case !w.Empty() || w.Expand(1) != 0:
		return nil, errors.New("the share is not empty after Pack")
	}
	return piece[3:], nil
}

// packWhole checks, for a Packer, that an untouched tree can move from share to share
// repeatedly, also back to a share that it has left.
func (s suite) packWhole() error {
	if !s.canPackWork() {
		return nil
	}
	shares := []search.Work{s.newRoot(), s.newEmpty()}
	for i := range 5 {
		from, to := shares[i%2], shares[(i+1)%2]
		piece, err := packAndCheck(from)
		if err != nil {
			return err
		}
		if err := to.Accept(piece); err != nil {
			return fmt.Errorf("the packed tree is refused: %w", err)
		}
	}
	if got := drainShare(shares[1], s.wantW); got != s.wantW || !shares[0].Empty() {
		return fmt.Errorf("the packed tree has %d nodes, want %d", got, s.wantW)
	}
	return nil
}

// packAnytime checks that shares that expand, split and are packed in a random order expand W
// nodes in total.
func (s suite) packAnytime() error {
	if !s.canPackWork() {
		return nil
	}
	for seed := range s.schedules(4, 16) {
		rng := rand.New(rand.NewPCG(8, uint64(seed)))
		total, moves, err := s.moveShares(rng, 2+rng.IntN(5), 1+rng.IntN(100))
		if err == nil && total != s.wantW {
			err = fmt.Errorf("the shares expand %d nodes with %d moves, want W = %d", total, moves, s.wantW)
		}
		if err == nil && moves == 0 {
			err = errors.New("no share was packed: the check shows nothing")
		}
		if err != nil {
			return fmt.Errorf("schedule %d fails: %w", seed, err)
		}
	}
	return nil
}

// unsettledMoves counts the moves of shares that have not settled (search.Settler). They are bounded,
// because otherwise a share could repeat for ever.
type unsettledMoves int

const mostUnsettled = 100

// allow reports whether a share may move as a whole, and counts the move if the share has not settled.
func (n *unsettledMoves) allow(w search.Work) bool {
	s, ok := search.As[search.Settler](w)
	if !ok || s.Settled() {
		return true
	}
	*n++
	return *n <= mostUnsettled
}

// moveShares searches the tree on some shares, in steps of at most quantum nodes. After a step
// it may move the share, or a part of it, to an empty share, which may be the same one. It
// returns the numbers of expanded nodes and of moved shares. It stops after more than W nodes.
func (s suite) moveShares(rng *rand.Rand, shares, quantum int) (total int64, moves int, err error) {
	works := []search.Work{s.newRoot()}
	for len(works) < shares {
		works = append(works, s.newEmpty())
	}
	busy := func(w search.Work) bool { return !w.Empty() }
	unsettled := new(unsettledMoves)
	for total <= s.wantW && slices.ContainsFunc(works, busy) {
		from, to := works[rng.IntN(shares)], works[rng.IntN(shares)]
		if from.Empty() {
			continue
		}
		total += int64(from.Expand(1 + rng.IntN(quantum)))
		if from.Empty() || from != to && !to.Empty() {
			continue
		}
		var piece []byte
		if from == to || rng.IntN(2) == 0 {
			if !unsettled.allow(from) {
				continue
			}
			if piece, err = packAndCheck(from); err != nil {
				return total, moves, err
			}
			moves++
		} else if split, ok := from.Split(nil); ok {
			piece = split
		} else {
			continue
		}
		if err := to.Accept(piece); err != nil {
			return total, moves, fmt.Errorf("a piece is refused: %w", err)
		}
		if to.Empty() {
			return total, moves, errors.New("a share is empty after accepting a piece")
		}
	}
	return total, moves, nil
}

// packsAreCopied checks that a share does not keep the bytes that it has accepted.
func (s suite) packsAreCopied() error {
	if !s.canPackWork() {
		return nil
	}
	w, total := s.begunShare()
	piece, err := packAndCheck(w)
	if err != nil {
		return err
	}
	return s.checkCopied(w, piece, total)
}

// hostilePacks makes the checks of hostilePieces for packed shares, untouched and begun.
func (s suite) hostilePacks() error {
	if !s.canPackWork() {
		return nil
	}
	piece, err := packAndCheck(s.newRoot())
	if err != nil {
		return err
	}
	if err := s.checkHostile(piece, 1); err != nil {
		return err
	}
	w, _ := s.begunShare()
	if piece, err = packAndCheck(w); err != nil {
		return err
	}
	return s.checkHostile(piece, 5) // the stack is long
}

// begunShare returns a share of the tree with a third of its nodes expanded.
func (s suite) begunShare() (w search.Work, expanded int64) {
	w = s.newRoot()
	return w, int64(w.Expand(int(s.wantW / 3)))
}
