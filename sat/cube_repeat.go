package sat

import (
	"fmt"

	"treesplit/search"
)

// Repetition. A piece of a share in the middle of an anchor has the number of nodes and steps that
// were expanded from the anchor on. The receiver expands them again, without counting them, because
// only then its solver is in the state of the donor's solver. This may take seconds. Therefore
// Accept only notes the repetition, and the first Expand does it. If the share is packed before, the
// piece goes out unchanged.

// repetition is what the receiver of a piece repeats below an anchor, and what remains there.
type repetition struct {
	progress
	weight float64 // of the remaining nodes, if the anchor has weight 1: 0 to 1
	open   int     // number of the remaining nodes that are open, at least 1
}

var (
	_ search.Settler  = (*Search)(nil)
	_ search.Fallible = (*Search)(nil)
)

// Settled reports whether the share has expanded as many nodes of its anchor as it had to repeat. If
// a share moves only then, the repetitions of an anchor cost at most as much as the anchor. A share
// without an anchor has settled if it is outside a cube, because the receiver would begin the cube
// again.
func (s *Search) Settled() bool {
	switch {
	case s.owed.all > 0:
		return false
	case s.conqueror == nil || s.conqueror.Anchor() < 0:
		return !s.inside
	}
	return s.settledAt == 0 || s.all >= s.settledAt
}

// Err returns an error if the share was to repeat nodes that the tree does not have.
func (s *Search) Err() error {
	if s.wrong == nil {
		return nil
	}
	return search.Failure{Err: s.wrong}
}

// retreat prepares the share for a piece of its next node: it goes up to the anchor, if the next
// node lies below one, or out of the current cube. Afterwards the next node is not visited, as if
// the share had not been there. The result is what the receiver must repeat.
func (s *Search) retreat() (repeat repetition) {
	if s.conqueror == nil {
		return repeat
	}
	if s.owed.all > 0 {
		repeat, s.owed = s.owed, repeat
		return repeat
	}
	anchor, visited := s.conqueror.Anchor(), s.depth-1
	if s.inside {
		visited++
	}
	switch {
	case anchor >= 0:
		repeat = s.remainder(anchor)
		for ; visited >= anchor; visited-- {
			s.proc.Back()
		}
		s.depth = anchor
	case s.inside: // without an anchor the receiver does not repeat the steps, but counts them too
		s.proc.Back()
	}
	if s.inside { // after Back, in which the solver may log the deletion of clauses
		s.log.WriteAbandoned()
		s.fresh = true
	}
	s.inside = false
	return repeat
}

// remainder returns the progress below the anchor, and what remains. It takes O(depth).
func (s *Search) remainder(anchor int) repetition {
	r, weight := repetition{progress: s.progress, open: 1}, 1.0
	for _, d := range s.path[anchor:s.depth] {
		weight /= 2
		if d.branch == firstOpen {
			r.weight += weight
			r.open++
		}
	}
	r.weight += weight
	return r
}

// repeatOwed expands the owed nodes below an anchor, which is the next node, without counting them.
// Another share has counted them, and has written the whole cubes among them to its log. If the tree
// has no such nodes, it returns false, leaves the share empty, and keeps the error.
func (s *Search) repeatOwed() bool {
	p := s.owed.progress
	log, counts, witness := s.log, s.counts, s.witness
	s.log, s.progress, s.owed = nil, progress{}, repetition{}
	ok := s.repeatUntil(p.whole) && !s.inside
	s.log, s.fresh = log, true
	ok = ok && s.repeatUntil(p.all) && s.conqueror.Anchor() >= 0
	s.counts, s.settledAt = counts, 2*p.all
	if !ok {
		s.witness = witness
		s.emptyShare()
		s.wrong = fmt.Errorf("a piece has %d nodes below an anchor, the last whole cube after %d: expected numbers of the tree of this formula", p.all, p.whole)
	}
	return ok
}

// repeatUntil expands nodes below the anchor up to a number. It returns false if the anchor ends
// before, or there is none.
func (s *Search) repeatUntil(n int64) bool {
	for s.all < n {
		if s.Empty() || s.all > 0 && s.conqueror.Anchor() < 0 {
			return false
		}
		s.expandSome(int(min(n-s.all, 1<<30)))
		if s.Decided() {
			return false
		}
	}
	return s.all == n
}

// emptyShare undoes all visits except the root's and leaves the share empty.
func (s *Search) emptyShare() {
	visited := max(s.depth-1, 0)
	if s.inside {
		visited = s.depth
	}
	s.inside, s.owed = false, repetition{}
	s.backOutToEmpty(visited)
}
