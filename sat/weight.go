package sat

import "treesplit/search"

var _ search.Sizer = (*Search)(nil)

// Weight is that of the branches that this share is yet to search; see search.Sizer. Every
// node that is no leaf has two children, whatever else a rule makes true there, so that a
// node's weight is 2^−depth and the path tells all: exactly, down to the least numbers
// there are. O(depth).
func (s *Search) Weight() float64 {
	if s.atRoot {
		return 1
	}
	if s.depth == 0 {
		return 0
	}
	left, weight := 0.0, 1.0
	for _, d := range s.path[:s.depth] {
		weight /= 2
		if d.branch == firstOpen {
			left += weight
		}
	}
	return left + weight
}

// Open is the number of these branches. O(depth).
func (s *Search) Open() (nodes int) {
	if !s.Empty() {
		nodes = 1 // the one that is visited next
	}
	for _, d := range s.path[:s.depth] {
		if d.branch == firstOpen {
			nodes++
		}
	}
	return nodes
}
