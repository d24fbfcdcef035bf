package topology

import "strconv"

// MeshR is a mesh of R dimensions without wraparound, numbered row by row along
// the last dimension (Kumar et al., appendix A, speak of its two- and
// three-dimensional cases). Its last layer may be incomplete. All sides but the
// first have the same length.
type MeshR struct {
	P    int // ranks
	R    int // dimensions, at least 1
	Side int // ranks along every dimension, as far as P goes
}

// NewMeshR returns the mesh of r dimensions over p ranks whose sides have
// ⌈p^(1/r)⌉ ranks.
func NewMeshR(p, r int) MeshR {
	m := MeshR{P: p, R: r, Side: 1}
	for m.strideAlong(r) < p {
		m.Side++
	}
	return m
}

// strideAlong is Side^d, or P where that is less: a step of that size leaves the mesh.
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

// Neighbours lists for each dimension, the last one first, the next rank and the
// previous one, as far as they exist.
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

// Distance is the Manhattan distance. An incomplete layer does not lengthen it:
// a way that first goes down in every dimension and then up stays below P.
func (m MeshR) Distance(a, b int) (hops int) {
	for range m.R {
		step := a%m.Side - b%m.Side
		hops += max(step, -step)
		a /= m.Side
		b /= m.Side
	}
	return hops
}
