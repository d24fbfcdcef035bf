package sat

import "treesplit/search"

var _ search.Bisecter = (*Search)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. Child 0 of a node is
// its first branch, child 1 its second. So for k ≥ 1 a part is a single node, at the end of k
// decisions, or empty. Every node on the way is expanded as Expand does it. It is counted in
// Counts if it belongs to the part. Only then does a solution on the way become the witness and
// decide the share. Bisect allocates memory only for the witness. It panics on a share that has
// begun.
func (s *Search) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.depth > 0 {
		panic("sat: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	s.atRoot, s.fresh = way.IsFinished(), true
	for !way.IsFinished() {
		own := way.OwnsCurrentNode()
		if own {
			expanded++
		} else {
			redundant++
		}
		literal, inner := s.branching(own)
		if !inner {
			break
		}
		if s.isWithinAnchor(s.depth) { // the anchor and all below it belong to one part
			if own {
				s.path[s.depth] = decision{literal, firstOpen}
				s.depth++
			} else {
				s.backOutToEmpty(s.depth)
			}
			break
		}
		d := decision{literal, firstOnly}
		if child, _ := way.HalveSiblings(0, 2); child == 1 {
			d.literal, d.branch = literal^1, second
		}
		s.path[s.depth] = d
		s.depth++
	}
	s.counts.Expanded += int64(expanded)
	return expanded, redundant
}

// branching visits the node at the end of the path and returns its branching literal. If the node
// is a leaf, the share becomes empty. If the node belongs to the share (own), it is counted,
// except in Expanded.
func (s *Search) branching(own bool) (literal int32, inner bool) {
	literal, outcome := s.visitNode(own)
	if own {
		s.counts.MaxDepth = max(s.counts.MaxDepth, int64(s.depth))
	}
	if outcome == Inner {
		return literal, true
	}
	if own && outcome == Cube {
		return NoLiteral, false
	}
	if own {
		s.countVisited(outcome)
	}
	s.backOutToEmpty(s.depth)
	return NoLiteral, false
}
