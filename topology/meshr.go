package topology

import "strconv"

// MeshR is a mesh of R dimensions without wraparound, numbered row by row along the last
// dimension. Kumar et al., appendix A, treat the two- and three-dimensional cases. Its last
// layer may be incomplete. All sides except the first have the same length.
type MeshR struct {
	P    int // ranks
	R    int // dimensions, at least 1
	Side int // ranks along every dimension; the first one may have fewer
}

// NewMeshR returns the mesh of r dimensions over p ranks whose sides have ⌈p^(1/r)⌉ ranks.
func NewMeshR(p, r int) MeshR {
	m := MeshR{P: p, R: r, Side: 1}
	for m.strideAlong(r) < p {
		m.Side++
	}
	return m
}

// strideAlong returns Side^d, or P if that is less. A step of P ranks leaves the mesh.
func (m MeshR) strideAlong(d int) int {
	s := 1
	for range d {
		if s *= m.Side; s >= m.P {
			return m.P
		}
	}
	return s
}

// Name returns "mesh" and the number of dimensions.
func (m MeshR) Name() string { return "mesh" + strconv.Itoa(m.R) }

// Size returns P.
func (m MeshR) Size() int { return m.P }

// Neighbours appends for each dimension, the last one first, the next rank and the previous
// rank, if they exist.
func (m MeshR) Neighbours(rank int, dst []int) []int {
	for d := range m.R {
		s := m.strideAlong(d)
		at := rank / s % m.Side
		if at+1 < m.Side && rank+s < m.P {
			dst = append(dst, rank+s)
		}
		if at > 0 {
			dst = append(dst, rank-s)
		}
	}
	return dst
}

// Distance returns the Manhattan distance. An incomplete layer does not increase it: a path
// that first goes down in every dimension and then up stays below P.
func (m MeshR) Distance(a, b int) (hops int) {
	for range m.R {
		step := a%m.Side - b%m.Side
		hops += max(step, -step)
		a /= m.Side
		b /= m.Side
	}
	return hops
}
