package bb

import "treesplit/search"

var _ search.Sizer = (*Search)(nil)

// Weight is that of the children that this share is yet to expand; see search.Sizer. A node
// has a child for each processor that stands for itself: those that are pruned, at once or
// because their bound has been overtaken, and complete maps are closed. O(depth·P).
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

// Open is the number of these children. O(depth·P).
func (s *Search) Open() (nodes int) {
	if s.atRoot {
		return 1
	}
	for d := range s.depth + 1 {
		nodes += s.countOpenAt(d)
	}
	return nodes
}

// countOpenAt is the number of children at a depth that are yet to be expanded.
func (s *Search) countOpenAt(depth int) (nodes int) {
	l := s.levels[depth]
	for _, k := range s.kids[depth*s.in.p+int(l.lo) : depth*s.in.p+int(l.hi)] {
		if k.bound < s.limit {
			nodes++
		}
	}
	return nodes
}

// countChoices is the number of processors that stand for themselves where the state is, as
// generate counts them. O(P²).
func (s *Search) countChoices() (n int32) {
	for p := range uint64(s.in.p) {
		if s.isLegalProcessor(p) {
			n++
		}
	}
	return n
}
