package sat

import (
	"fmt"

	"treesplit/sat/proof"
	"treesplit/search"
)

// Repetition. A piece of a share in the middle of an anchor has the number of nodes and steps that
// were expanded from the anchor on. The receiver expands them again, without counting them, because
// only then its solver is in the state of the donor's solver. This may take as long as a whole anchor.
// Therefore Accept only notes the repetition, and each Expand does a part of it, so that the rank polls,
// reports and stops meanwhile. If the share is packed before the end of the repetition, the piece goes
// out unchanged.
//
// First come the whole cubes. Another share has written them to its log, so they are not logged again.
// Then comes the cube in which the donor was, if it was in one. This share will decide it, so it is
// logged.

// repetition is what the receiver of a piece repeats below an anchor, and what remains there.
type repetition struct {
	progress
	weight float64 // of the remaining nodes, if the anchor has weight 1: 0 to 1
	open   int     // number of the remaining nodes that are open, at least 1
	anchor int     // depth of the anchor
}

var (
	_ search.Settler   = (*Search)(nil)
	_ search.Fallible  = (*Search)(nil)
	_ search.Redundant = (*Search)(nil)
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

// NodesToRepeat returns the number of nodes and steps that are expanded again if the share is packed now.
func (s *Search) NodesToRepeat() int64 {
	switch {
	case s.owed.all > 0:
		return s.owed.all
	case s.conqueror != nil && s.conqueror.Anchor() >= 0:
		return s.all
	case s.inside:
		return s.all - s.whole
	}
	return 0
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
	anchor, logged := s.conqueror.Anchor(), s.inside
	switch {
	case s.owed.all > 0:
		logged = s.inside && s.all > s.owed.whole
		repeat, s.owed = s.owed, repeat
		if s.all > 0 {
			s.goUpTo(repeat.anchor)
		}
	case anchor >= 0:
		repeat = s.remainder(anchor)
		s.goUpTo(anchor)
	case s.inside: // without an anchor the receiver does not repeat the steps, but counts them too
		s.proc.Back()
	}
	if logged { // after Back, in which the solver may log the deletion of clauses
		s.log.WriteAbandoned()
		s.fresh = true
	}
	s.inside = false
	return repeat
}

// goUpTo undoes the visits of the anchor, which is at the given depth, and of the nodes below it.
func (s *Search) goUpTo(anchor int) {
	for visited := s.visited(); visited >= anchor; visited-- {
		s.proc.Back()
	}
	s.depth = anchor
}

// visited returns the number of decisions of the path that the procedure has visited.
func (s *Search) visited() int {
	if s.inside {
		return s.depth
	}
	return max(s.depth-1, 0)
}

// remainder returns the progress below the anchor, and what remains. It takes O(depth).
func (s *Search) remainder(anchor int) repetition {
	r, weight := repetition{progress: s.progress, open: 1, anchor: anchor}, 1.0
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

// aside is the state of a share that a repetition does not change.
type aside struct {
	counts  Counts
	witness []int32
	log     *proof.Log
}

// repeatOwed expands up to limit of the owed nodes below the anchor, without counting them for the share,
// and returns their number. Afterwards no node is owed, or the number is limit. If the tree has no such
// nodes, the share becomes empty and keeps the error.
func (s *Search) repeatOwed(limit int) int {
	before, until := s.all, min(s.owed.all, s.all+int64(limit))
	kept, valid := aside{s.counts, s.witness, s.log}, true
	if s.all < s.owed.whole {
		s.log = nil
		valid = s.repeatUntil(min(s.owed.whole, until))
		s.log = kept.log
	}
	valid = valid && s.repeatUntil(until)
	s.counts, s.witness = kept.counts, kept.witness
	repeated := s.all - before
	s.repeated += repeated
	switch p := s.owed.progress; {
	case !valid:
		s.emptyShare()
		s.wrong = fmt.Errorf("a piece has %d nodes below an anchor, the last whole cube after %d: expected numbers of the tree of this formula", p.all, p.whole)
	case s.all == p.all:
		s.owed, s.settledAt = repetition{}, 2*p.all
	}
	return int(repeated)
}

// repeatUntil expands nodes below the anchor up to a number. It returns false if the repetition is not
// one of this tree.
func (s *Search) repeatUntil(n int64) bool {
	for s.all < n {
		s.expandSome(int(n - s.all))
		if !s.isRepeating() {
			return false
		}
	}
	return true
}

// isRepeating reports whether the repeated nodes can be the nodes that are owed: the share is below the
// anchor that the piece began with, and finished the last whole cube where the donor did.
func (s *Search) isRepeating() bool {
	return !s.Empty() && !s.Decided() && s.conqueror.Anchor() == s.owed.anchor && (!s.inside || s.all != s.owed.whole)
}

// TakeRedundant returns the number of nodes and steps that were repeated since the last call.
func (s *Search) TakeRedundant() int64 {
	n := s.repeated
	s.repeated = 0
	return n
}

// nextDepth returns the depth of the next node that will count. During a repetition it is the anchor.
func (s *Search) nextDepth() int {
	if s.owed.all > 0 {
		return s.owed.anchor
	}
	return s.depth
}

// emptyShare undoes all visits except the root's and leaves the share empty.
func (s *Search) emptyShare() {
	visited := s.visited()
	s.inside, s.owed = false, repetition{}
	s.backOutToEmpty(visited)
}
