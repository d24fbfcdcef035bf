package topology

// Mesh is a two-dimensional mesh without wraparound, numbered row by row. Its last row may be
// shorter than the others.
type Mesh struct {
	P    int // ranks
	Cols int // ranks in a full row
}

// NewMesh returns the mesh of p ranks that is nearest to a square. Its rows have ⌈√p⌉ ranks.
func NewMesh(p int) Mesh {
	cols := 1
	for cols*cols < p {
		cols++
	}
	return Mesh{P: p, Cols: cols}
}

// Name returns "mesh".
func (Mesh) Name() string { return "mesh" }

// Size returns P.
func (m Mesh) Size() int { return m.P }

// Neighbours appends the right, left, lower and upper neighbour, if they exist.
func (m Mesh) Neighbours(rank int, dst []int) []int {
	col := rank % m.Cols
	if col+1 < m.Cols && rank+1 < m.P {
		dst = append(dst, rank+1)
	}
	if col > 0 {
		dst = append(dst, rank-1)
	}
	if rank+m.Cols < m.P {
		dst = append(dst, rank+m.Cols)
	}
	if rank >= m.Cols {
		dst = append(dst, rank-m.Cols)
	}
	return dst
}

// Distance returns the Manhattan distance. A short last row does not increase it, because the
// path goes along the upper of the two rows.
func (m Mesh) Distance(a, b int) int {
	abs := func(x int) int { return max(x, -x) }
	return abs(a/m.Cols-b/m.Cols) + abs(a%m.Cols-b%m.Cols)
}
