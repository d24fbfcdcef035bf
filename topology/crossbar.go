package topology

// Crossbar connects any two ranks by one hop: a machine with shared memory, as the papers
// model it.
type Crossbar struct{ P int }

// Name returns "crossbar".
func (Crossbar) Name() string { return "crossbar" }

// Size returns P.
func (c Crossbar) Size() int { return c.P }

// Neighbours appends all other ranks, beginning with rank+1.
func (c Crossbar) Neighbours(rank int, dst []int) []int { return everyOther(c.P, rank, dst) }

// Distance is 1 between different ranks, and 0 from a rank to itself.
func (Crossbar) Distance(a, b int) int { return directDistance(a, b) }

// everyOther appends rank+1, …, P−1, 0, …, rank−1 to dst.
func everyOther(p, rank int, dst []int) []int {
	for step := 1; step < p; step++ {
		dst = append(dst, (rank+step)%p)
	}
	return dst
}

// directDistance returns 0 if a = b, and 1 otherwise.
func directDistance(a, b int) int {
	if a == b {
		return 0
	}
	return 1
}
