package topology

// Crossbar joins every rank with every other at one hop: a machine with shared
// memory, as the papers model it.
type Crossbar struct{ P int }

// Name returns "crossbar".
func (Crossbar) Name() string { return "crossbar" }

// Size returns P.
func (c Crossbar) Size() int { return c.P }

// Neighbours lists all other ranks, beginning with the next one.
func (c Crossbar) Neighbours(rank int, dst []int) []int { return everyOther(c.P, rank, dst) }

// Distance is 1 between different ranks.
func (Crossbar) Distance(a, b int) int { return directDistance(a, b) }

// everyOther lists rank+1, …, P−1, 0, …, rank−1.
func everyOther(p, rank int, dst []int) []int {
	for step := 1; step < p; step++ {
		dst = append(dst, (rank+step)%p)
	}
	return dst
}

func directDistance(a, b int) int {
	if a == b {
		return 0
	}
	return 1
}
