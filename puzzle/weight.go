package puzzle

import "treesplit/search"

var _ search.Sizer = (*Search)(nil)

// Weight returns the weight of the moves that this share must still search; see search.Sizer. A
// node has one child per move, except the move back. Children that are pruned or solve the board
// are closed when the node is expanded. O(depth).
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

// Open returns the number of these moves. O(depth).
func (s *Search) Open() (nodes int) {
	if s.atRoot {
		return 1
	}
	for d := range s.depth + 1 {
		nodes += s.frames[d].open.countMoves()
	}
	return nodes
}
