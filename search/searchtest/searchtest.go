// Package searchtest is the conformance suite of search.Work: the properties that every
// workload must have so that any scheme can balance it. The tests of a workload call Run on
// several of its trees.
//
// All randomness comes from fixed seeds and is drawn in a fixed order, so that a failing
// schedule fails again.
package searchtest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/search"
)

// budget is the approximate number of nodes that one check expands: a tree of W nodes is
// searched budget/W times, within the bounds given to schedules.
const budget = 250_000

// Run checks the contract of search.Work on a tree of exactly wantW nodes, and the contracts
// of the optional interfaces Subtasker, Bisecter, Packer and Sizer that the shares have.
// newRoot returns a new share that holds the whole tree, newEmpty a new empty share of the
// same tree. A Decider must be configured to search the whole tree. Splits must be possible
// during the search, so wantW should be between about 500 and 100,000.
func Run(t *testing.T, newRoot, newEmpty func() search.Work, wantW int64) {
	t.Helper()
	s := suite{newRoot, newEmpty, wantW}
	for _, c := range s.listChecks() {
		passed := t.Run(c.name, func(t *testing.T) {
			if err := c.check(); err != nil {
				t.Error(err)
			}
		})
		if !passed {
			return // a wrong W makes all following checks fail too
		}
	}
}

// suite is one tree under test. Its checks return errors, so that the suite itself can be
// tested on broken workloads.
type suite struct {
	newRoot, newEmpty func() search.Work
	wantW             int64
}

// check is one named part of the contract.
type check struct {
	name  string
	check func() error
}

// listChecks returns the checks of the contract, the simplest ones first.
func (s suite) listChecks() []check {
	return []check{
		{"Whole", s.checkWhole},
		{"ExpandBounds", s.expandBounds},
		{"SplitAppends", s.splitAppends},
		{"Interleavings", s.interleavings},
		{"PiecesAreCopied", s.piecesAreCopied},
		{"HostilePieces", s.hostilePieces},
		{"Subtasks", s.checkSubtasks},
		{"Parts", s.checkParts},
		{"PartsRepeat", s.partsRepeat},
		{"DeepParts", s.deepParts},
		{"NoSuchPart", s.noSuchPart},
		{"PartsAreWork", s.partsAreWork},
		{"PackWhole", s.packWhole},
		{"PackAnytime", s.packAnytime},
		{"PacksAreCopied", s.packsAreCopied},
		{"HostilePacks", s.hostilePacks},
		{"Weights", s.checkWeights},
		{"PartsWeigh", s.partsWeigh},
		{"WeighingDoesNotAllocate", s.weighingDoesNotAllocate},
		{"ExpandDoesNotAllocate", s.expandDoesNotAllocate},
		{"BisectDoesNotAllocate", s.bisectDoesNotAllocate},
	}
}

// checkWhole checks that the undivided tree has W nodes, and that an empty share has none and
// cannot be split.
func (s suite) checkWhole() error {
	root := s.newRoot()
	if root.Empty() {
		return errors.New("the root share is empty")
	}
	if got := drainShare(root, s.wantW); got != s.wantW {
		return fmt.Errorf("the whole tree has %d nodes, want W = %d", got, s.wantW)
	}
	for _, w := range []search.Work{root, s.newEmpty()} {
		if !w.Empty() || w.Expand(10) != 0 {
			return errors.New("a share that was searched or is new is not empty")
		}
		if piece, ok := w.Split([]byte("dst")); ok || string(piece) != "dst" {
			return fmt.Errorf("method Split of an empty share returns %q, %v", piece, ok)
		}
	}
	return nil
}

// expandBounds checks that Expand(limit) expands exactly limit nodes unless the share becomes
// empty, for any sizes of the steps.
func (s suite) expandBounds() error {
	rng := rand.New(rand.NewPCG(1, uint64(s.wantW)))
	for range s.schedules(1, 5) {
		w, total := s.newRoot(), int64(0)
		for !w.Empty() && total <= s.wantW {
			limit := 1 + rng.IntN(1+rng.IntN(200))
			got := w.Expand(limit)
			if got > limit || got < limit && !w.Empty() || got <= 0 {
				return fmt.Errorf("Expand(%d) = %d, Empty = %v", limit, got, w.Empty())
			}
			total += int64(got)
		}
		if total != s.wantW {
			return fmt.Errorf("the tree has %d nodes when expanded in steps, want W = %d", total, s.wantW)
		}
	}
	return nil
}

// splitAppends checks four properties: Split keeps the previous contents of dst; it appends
// bytes that do not begin with the mark of a wrapper; splitting until it is refused leaves the
// donor a node to expand; the pieces and the donor together have W nodes.
func (s suite) splitAppends() error {
	w := s.newRoot()
	total := int64(w.Expand(int(s.wantW / 5)))
	var pieces []byte
	ends := []int{0}
	for int64(len(ends)) <= s.wantW {
		before := bytes.Clone(pieces)
		after, ok := w.Split(pieces)
		if !bytes.HasPrefix(after, before) {
			return errors.New("method Split changed the previous contents of dst")
		}
		if ok && (len(after) == len(before) || after[len(before)] >= 128) {
			return fmt.Errorf("the piece appended by Split is %x: expected a first byte below 128", after[len(before):])
		}
		if !ok {
			if len(after) != len(before) {
				return fmt.Errorf("a refused split appended %d bytes", len(after)-len(before))
			}
			break
		}
		pieces, ends = after, append(ends, len(after))
	}
	if w.Empty() {
		return errors.New("splits left the donor without work")
	}
	total += drainShare(w, s.wantW)
	for i := range ends[1:] {
		receiver := s.newEmpty()
		if err := receiver.Accept(pieces[ends[i]:ends[i+1]]); err != nil {
			return err
		}
		total += drainShare(receiver, s.wantW)
	}
	if total != s.wantW {
		return fmt.Errorf("the donor and its %d pieces have %d nodes, want W = %d", len(ends)-1, total, s.wantW)
	}
	return nil
}

// interleavings checks that k shares that expand, split and accept in a random order expand W
// nodes in total, each node once.
func (s suite) interleavings() error {
	splits := 0
	for seed := range s.schedules(4, 16) {
		rng := rand.New(rand.NewPCG(2, uint64(seed)))
		total, n, err := s.playShares(rng, 2+rng.IntN(7), 1+rng.IntN(100))
		if err == nil && total != s.wantW {
			err = fmt.Errorf("the shares expand %d nodes with %d splits, want W = %d", total, n, s.wantW)
		}
		if err != nil {
			return fmt.Errorf("schedule %d fails: %w", seed, err)
		}
		splits += n
	}
	if splits == 0 {
		return errors.New("no split succeeded in any schedule: the check shows nothing")
	}
	return nil
}

// playShares searches the tree on the given number of shares in the order that rng draws, in
// steps of at most quantum nodes. It returns the numbers of expanded nodes and of splits. It
// stops after more than W nodes.
func (s suite) playShares(rng *rand.Rand, shares, quantum int) (total int64, splits int, err error) {
	works := []search.Work{s.newRoot()}
	for len(works) < shares {
		works = append(works, s.newEmpty())
	}
	busy := func(w search.Work) bool { return !w.Empty() }
	for total <= s.wantW && slices.ContainsFunc(works, busy) {
		w := works[rng.IntN(shares)]
		if !w.Empty() {
			total += int64(w.Expand(1 + rng.IntN(quantum)))
			continue
		}
		piece, ok := works[rng.IntN(shares)].Split(nil)
		if !ok {
			continue
		}
		if err := w.Accept(piece); err != nil {
			return total, splits, fmt.Errorf("a piece of %d bytes was refused: %w", len(piece), err)
		}
		if w.Empty() {
			return total, splits, errors.New("a share is empty after accepting a piece")
		}
		splits++
	}
	return total, splits, nil
}

// piecesAreCopied checks that a share does not keep the bytes that it has accepted: the
// transport may reuse them.
func (s suite) piecesAreCopied() error {
	w, piece, total, err := s.firstPiece()
	if err != nil {
		return err
	}
	return s.checkCopied(w, piece, total)
}

// checkCopied checks this for one piece. The donor w and the piece are the rest of the tree
// after total nodes.
func (s suite) checkCopied(w search.Work, piece []byte, total int64) error {
	receiver := s.newEmpty()
	if err := receiver.Accept(piece); err != nil {
		return err
	}
	for i := range piece {
		piece[i] ^= 0x55
	}
	total += drainShare(w, s.wantW) + drainShare(receiver, s.wantW)
	if total != s.wantW {
		return fmt.Errorf("the tree has %d nodes after the accepted bytes were overwritten, want W = %d", total, s.wantW)
	}
	return nil
}

// hostilePieces checks that damaged pieces never cause a panic, that a refused piece leaves
// the share empty and usable, and that an accepted piece can be expanded.
func (s suite) hostilePieces() error {
	_, piece, _, err := s.firstPiece()
	if err != nil {
		return err
	}
	return s.checkHostile(piece, 1)
}

// checkHostile makes these checks for the mutants of one piece.
func (s suite) checkHostile(piece []byte, stride int) error {
	receiver := s.newEmpty()
	if err := receiver.Accept(piece); err != nil {
		return err
	}
	want := drainShare(receiver, s.wantW)
	refused := 0
	for _, bad := range pieceMutants(piece, stride) {
		if receiver.Accept(bad) == nil {
			receiver.Expand(100) // a damaged piece that is valid: any tree, no panic
			if !receiver.Empty() {
				receiver = s.newEmpty()
			}
			continue
		}
		refused++
		if !receiver.Empty() || receiver.Expand(1) != 0 {
			return fmt.Errorf("the share is not empty after refusing %x", bad)
		}
	}
	if refused == 0 {
		return errors.New("no damaged piece was refused")
	}
	if receiver.Accept(nil) == nil {
		return errors.New("a piece of no bytes was accepted")
	}
	if err := receiver.Accept(piece); err != nil {
		return fmt.Errorf("a share that refused a bad piece refuses a good one: %w", err)
	}
	if got := drainShare(receiver, s.wantW); got != want {
		return fmt.Errorf("a share that refused a bad piece finds %d nodes in a good one, want %d", got, want)
	}
	return nil
}

// pieceMutants returns truncated, bit-flipped, lengthened and random copies of a piece. It
// takes every stride-th of all lengths and all bits.
func pieceMutants(piece []byte, stride int) (bad [][]byte) {
	for n := 0; n < len(piece); n += stride {
		bad = append(bad, bytes.Clone(piece[:n]))
	}
	for bit := 0; bit < 8*min(len(piece), 256); bit += stride {
		flipped := bytes.Clone(piece)
		flipped[bit/8] ^= 1 << (bit % 8)
		bad = append(bad, flipped)
	}
	rng := rand.New(rand.NewPCG(3, uint64(len(piece))))
	for range 200 {
		junk := make([]byte, 1+rng.IntN(2*len(piece)+1))
		for i := range junk {
			junk[i] = byte(rng.Uint32())
		}
		copy(junk, piece[:rng.IntN(len(piece)+1)])
		bad = append(bad, junk, append(bytes.Clone(piece), junk...))
	}
	return bad
}

// expandDoesNotAllocate checks that a share that has reached its full size expands nodes
// without allocation.
func (s suite) expandDoesNotAllocate() error {
	w := s.newRoot()
	w.Expand(int(s.wantW / 2))
	quantum := int(s.wantW / 50)
	if n := testing.AllocsPerRun(20, func() { w.Expand(quantum) }); n != 0 {
		return fmt.Errorf("method Expand makes %v allocations in each call with limit %d, want none", n, quantum)
	}
	return nil
}

// firstPiece expands a share of the whole tree until it can be split. It returns both parts
// and the number of nodes expanded so far.
func (s suite) firstPiece() (donor search.Work, piece []byte, expanded int64, err error) {
	donor = s.newRoot()
	for !donor.Empty() && expanded <= s.wantW {
		expanded += int64(donor.Expand(7))
		if piece, ok := donor.Split(nil); ok {
			return donor, piece, expanded, nil
		}
	}
	return nil, nil, expanded, errors.New("the tree could not be split")
}

// schedules returns the number of times that a check searches the tree: budget/W, a quarter of
// that under -short, and within the bounds.
func (s suite) schedules(least, most int) int {
	n := int(budget / s.wantW)
	if testing.Short() {
		n, most = n/4, most/4
	}
	return max(min(n, most), least)
}

// drainShare expands all nodes of a share and returns their number. It stops after more than
// limit nodes. If the share is not empty and expands nothing, it returns -1. In both cases the
// total is wrong.
func drainShare(w search.Work, limit int64) (total int64) {
	for !w.Empty() && total <= limit {
		n := w.Expand(1000)
		if n <= 0 {
			return -1
		}
		total += int64(n)
	}
	return total
}

// asCapability returns a share as a T, or nil.
func asCapability[T search.Work](w search.Work) T {
	t, _ := search.As[T](w)
	return t
}
