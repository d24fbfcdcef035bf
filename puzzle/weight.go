package puzzle

import "treesplit/search"

var _ search.Sizer = (*Search)(nil)

// Weight is that of the moves that this share is yet to search; see search.Sizer. A node
// has as many children as there are moves except for the one back: those that are pruned or
// solve the board are closed as soon as it is expanded. O(depth).
func (s *Search) Weight() float64 {
	if s.atRoot {
		return 1
	}
	left, weight := 0.0, 1.0
	for d := range s.depth + 1 {
		f := &s.frames[d]
		weight /= float64(s.problem.grid.legal[f.blank][f.last].countMoves())
		left += weight * float64(f.open.countMoves())
	}
	return left
}

// Open is the number of these moves. O(depth).
func (s *Search) Open() (nodes int) {
	if s.atRoot {
		return 1
	}
	for d := range s.depth + 1 {
		nodes += s.frames[d].open.countMoves()
	}
	return nodes
}
