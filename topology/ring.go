package topology

// Ring connects each rank with the next one, and the last rank with the first.
type Ring struct{ P int }

// Name returns "ring".
func (Ring) Name() string { return "ring" }

// Size returns P.
func (r Ring) Size() int { return r.P }

// Neighbours appends the right neighbour (rank+1), then the left one.
func (r Ring) Neighbours(rank int, dst []int) []int {
	if r.P > 1 {
		dst = append(dst, (rank+1)%r.P)
	}
	if r.P > 2 {
		dst = append(dst, (rank+r.P-1)%r.P)
	}
	return dst
}

// Distance returns the length of the shorter of the two arcs between a and b.
func (r Ring) Distance(a, b int) int {
	d := a - b
	if d < 0 {
		d = -d
	}
	return min(d, r.P-d)
}
