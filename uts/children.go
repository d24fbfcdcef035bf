package uts

import "math"

// maxChildren is the largest number of children of a node in the reference program. Only a
// Binomial root and the nodes of a Balanced tree may have more.
const maxChildren = 100

// childCount returns the number of children of a node of height h with random value v, 0 ≤ v <
// 2^31, by the definitions of the benchmark (Olivier et al., section 2, and the reference
// program's uts_numChildren). It costs up to two logarithms, a power and a sine. The walk uses it
// only for heights beyond the rows of counter, and to fill these rows.
func (p *Params) childCount(h int, v uint32) int {
	switch {
	case h < p.geometricBelow():
		return drawGeometric(p.meanChildren(h), v)
	case p.Type == Balanced:
		if h < p.Depth {
			return int(p.B0)
		}
		return 0
	case h == 0:
		return int(p.B0) // not capped
	case float64(v)/(1<<31) < p.Q:
		return min(p.M, maxChildren)
	}
	return 0
}

// meanChildren returns the mean number of children of a Geometric tree for nodes of height h,
// before flooring and capping. The conversions keep compilers from fusing a product with a later
// addition, which would be rounded differently on different machines.
func (p *Params) meanChildren(h int) float64 {
	height, depth := float64(h), float64(p.Depth)
	switch {
	case h == 0:
		return p.B0
	case p.Shape == Linear:
		return max(0, float64(p.B0*(1-height/depth))) // below height Depth only in an invalid piece
	case p.Shape == ExpDec:
		return float64(p.B0 * math.Pow(height, -math.Log(p.B0)/math.Log(depth)))
	case p.Shape == Cyclic && h <= 5*p.Depth:
		return math.Pow(p.B0, math.Sin(2*3.141592653589793*height/depth))
	case p.Shape == Fixed && h < p.Depth:
		return p.B0
	}
	return 0
}

// drawGeometric draws from the geometric distribution with the given mean, by inversion:
// floor(ln(1−u) / ln(1−p)) with u = v/2^31, cut to maxChildren. With mean 0 the
// divisor is −∞ and the result 0.
func drawGeometric(mean float64, v uint32) int {
	u := float64(v) / (1 << 31)
	p := 1 / (1 + mean)
	return int(min(maxChildren, math.Floor(math.Log(1-u)/math.Log(1-p))))
}
