package chaos

import (
	"errors"
	"fmt"

	"treesplit/lb"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/sim"
)

// The simulator itself returns an error if a run violates its invariants: messages by kind, pieces
// given and taken, credits, ranks that never end, nodes expanded beyond the existing ones, an end
// before the last node. Only the answer remains to be checked, and the pieces that a segment hands
// to the next.

// checkSegmentEnd reports whether the search is over, and checks its answer.
func (c *chain) checkSegmentEnd(r sim.Result, left int64) (bool, error) {
	decided, bound := c.currentAnswer()
	switch {
	case decided != (r.Reason == lb.Decided) && !(decided && r.Reason == lb.Paused):
		return true, fmt.Errorf("the run ended as %v, a share has met a witness: %v", r.Reason, decided)
	case decided && !c.tree.witness:
		return true, errors.New("a share has met a witness in a tree without witnesses")
	case r.Stats.Expanded > left:
		return true, fmt.Errorf("%d of %d nodes were expanded", r.Stats.Expanded, left)
	case decided:
		c.out.Decided = true
		return true, nil
	case r.Reason == lb.Paused:
		return false, nil
	case c.tree.witness:
		return true, errors.New("no share has met the witness of the tree")
	case r.Stats.Expanded != left:
		return true, fmt.Errorf("%d of %d nodes were expanded", r.Stats.Expanded, left)
	case bound != c.tree.least:
		return true, fmt.Errorf("the least value is %d: expected %d", bound, c.tree.least)
	}
	return true, c.checkAgreement()
}

// currentAnswer reports whether a share has met a witness, and returns the least value that any
// share knows.
func (c *chain) currentAnswer() (decided bool, bound int64) {
	bound = search.NoBound
	c.shares.Each(func(w search.Work) {
		decided = decided || search.Decided(w)
		bound = min(bound, search.BoundOf(w))
	})
	return decided, bound
}

// checkAgreement checks that all ranks know the least value. The ranks' own shares are the first
// that were made, except under schemes with a static start or subtasks, which are not checked.
func (c *chain) checkAgreement() error {
	if lb.HasStaticStart(c.segment.scheme) || lb.CutsSubtasks(c.segment.scheme) {
		return nil
	}
	for rank, w := range c.shares.BuiltShares()[:c.segment.ranks] {
		if bound := search.BoundOf(w); bound != c.tree.least {
			return fmt.Errorf("rank %d knows the value %d: expected the least value, %d", rank, bound, c.tree.least)
		}
	}
	return nil
}

// collectRemaining takes the remaining pieces out of an interrupted search, for the next segment.
// left is the expected number of their nodes. It returns over = true if there are none, because the
// search ended first.
func (c *chain) collectRemaining(left int64) (over bool, err error) {
	_, c.bound = c.currentAnswer()
	var pieces [][]byte
	for _, b := range c.members {
		b.(lb.Resumable).TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
	}
	if c.left != nil {
		pieces = c.left(pieces)
	}
	if c.segment.encode {
		if pieces, err = c.saveAndReload(pieces); err != nil {
			return true, err
		}
	}
	held := int64(0)
	for i, p := range pieces {
		if len(p) > 0 && p[0] == search.MarkList {
			return true, fmt.Errorf("piece %d of %d is a list of pieces", i+1, len(pieces))
		}
		held += c.countPieceNodes(p)
	}
	if held != left {
		return true, fmt.Errorf("%d pieces hold %d nodes, expected %d", len(pieces), held, left)
	}
	if len(pieces) == 0 {
		if c.bound != c.tree.least || c.tree.witness {
			return true, fmt.Errorf("no piece is left, but the least value is %d: expected %d; a witness is missing: %v", c.bound, c.tree.least, c.tree.witness)
		}
		return true, nil
	}
	c.out.Pieces += len(pieces)
	c.from = &shares.Remainder{Bound: c.bound}
	c.shares.From = c.from
	c.from.Left, err = c.shares.CheckPieces(pieces)
	return false, err
}
