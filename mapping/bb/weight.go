package bb

import "treesplit/search"

var _ search.Sizer = (*Search)(nil)

// Weight returns the weight of the children that this share must still expand; see search.Sizer.
// A node has one child for each processor that is not equivalent to a lower one. Pruned children,
// children whose bound is no longer below the limit, and complete maps are closed. O(depth·P).
func (s *Search) Weight() float64 {
	if s.atRoot {
		return 1
	}
	left, weight := 0.0, 1.0
	for d := range s.depth + 1 {
		weight /= float64(max(s.levels[d].of, 1))
		left += weight * float64(s.countOpenAt(d))
	}
	return left
}

// Open returns the number of these children. O(depth·P).
func (s *Search) Open() (nodes int) {
	if s.atRoot {
		return 1
	}
	for d := range s.depth + 1 {
		nodes += s.countOpenAt(d)
	}
	return nodes
}

// countOpenAt returns the number of unexpanded children at a depth.
func (s *Search) countOpenAt(depth int) (nodes int) {
	l := s.levels[depth]
	for _, k := range s.kids[depth*s.in.p+int(l.lo) : depth*s.in.p+int(l.hi)] {
		if k.bound < s.limit {
			nodes++
		}
	}
	return nodes
}

// countChoices returns the number of processors that are not equivalent to a lower one in the
// current state, as generateChildren counts them. O(P²).
func (s *Search) countChoices() (n int32) {
	for p := range uint64(s.in.p) {
		if s.isLegalProcessor(p) {
			n++
		}
	}
	return n
}
