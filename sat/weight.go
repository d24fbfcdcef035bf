package sat

import "treesplit/search"

var _ search.Sizer = (*Search)(nil)

// Weight returns the weight of the branches that this share must still search; see search.Sizer.
// Every node that is not a leaf has two children under every rule, so the weight of a node is
// 2^−depth and follows from the path. It is exact down to the smallest floating-point numbers. It
// takes O(depth).
func (s *Search) Weight() float64 {
	if s.atRoot {
		return 1
	}
	if s.depth == 0 {
		return 0
	}
	left, weight := 0.0, 1.0
	for _, d := range s.path[:s.nextDepth()] {
		weight /= 2
		if d.branch == firstOpen {
			left += weight
		}
	}
	if s.owed.all > 0 {
		weight *= s.owed.weight
	}
	return left + weight
}

// Open returns the number of these branches. It takes O(depth).
func (s *Search) Open() (nodes int) {
	if !s.Empty() {
		nodes = max(1, s.owed.open) // the next node, or what remains below it
	}
	for _, d := range s.path[:s.nextDepth()] {
		if d.branch == firstOpen {
			nodes++
		}
	}
	return nodes
}
