package sat

import "treesplit/search"

var _ search.Bisecter = (*Search)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. Child 0
// of a node is its first branch, child 1 its second, so that from k = 1 on a part is
// a single node, at the end of k decisions, or nothing. Every node on the way is
// expanded as Expand does it, and counted in Counts if it belongs to the part. Only
// then does a solution on the way become the witness, which decides the share and is
// all that is allocated. It panics on a share that has begun.
func (s *Search) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.depth > 0 {
		panic("sat: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	s.atRoot = way.Done()
	for from := int32(0); !way.Done(); {
		own := way.Own()
		if own {
			expanded++
		} else {
			redundant++
		}
		literal, clause := s.branching(from, own)
		if clause < 0 {
			break
		}
		d := decision{literal, clause, firstOnly}
		if child, _ := way.Halve(0, 2); child == 1 {
			d.literal, d.branch = literal^1, second
		}
		s.path[s.depth] = d
		s.depth++
		from = clause
	}
	s.counts.Expanded += int64(expanded)
	return expanded, redundant
}

// branching applies the last decision and returns what the next node branches on;
// its open clauses begin at from. Where it is a leaf the clause is -1 and the share is
// empty. The node is counted, except in Expanded, if it is the share's own.
func (s *Search) branching(from int32, own bool) (literal, clause int32) {
	if own {
		s.counts.MaxDepth = max(s.counts.MaxDepth, int64(s.depth))
	}
	conflict := s.rule.hasEmpty
	applied := s.depth
	if s.depth > 0 && !assign(s.free, s.value, s.rule.in, s.path[s.depth-1].literal) {
		conflict = true
		applied--
	}
	if !conflict {
		if literal, clause = firstFree(s.rule.clauses, s.value, from); clause >= 0 {
			return literal, clause
		}
	}
	switch {
	case own && conflict:
		s.counts.Conflicts++
	case own:
		s.solution()
	}
	s.backOut(applied)
	return -1, -1
}
