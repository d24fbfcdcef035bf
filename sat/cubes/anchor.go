package cubes

// The size of anchors. A solver that knows more cubes needs fewer conflicts for the next one: one fifth on
// a packing formula, if it knows 200 cubes instead of 20. But it becomes slower, and on random formulas
// 200 cubes take 1.3 times the time per cube. Moreover an anchor is not divided among ranks, and there must be
// enough anchors for all ranks. So cuts with many cubes have large anchors. Trials do not choose the size: they
// miss the hard subtrees, where lemmas help most.

const (
	cubesOfAnchor = 20  // of a cut with few cubes, and of all cuts that compete
	mostOfAnchor  = 200 // of a cut with many cubes
	usualAnchors  = 500 // number of anchors of a cut between these
)

// anchorSize returns the number of cubes per anchor for a number of cubes.
func anchorSize(cubes float64) float64 {
	return min(max(cubes/usualAnchors, cubesOfAnchor), mostOfAnchor)
}

// growAnchors gives a cut with many cubes large anchors.
func (s *sampler) growAnchors(c Cut, cubes float64) Cut {
	c.Anchor = s.anchorOf(c.Cube, anchorSize(cubes))
	return c
}
