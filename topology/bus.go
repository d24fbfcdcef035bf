package topology

// Bus connects all ranks by a single medium: workstations on an Ethernet. Any two ranks are
// one hop apart, as on a Crossbar. A simulation accounts for the fact that a bus carries one
// message at a time.
type Bus struct{ P int }

// Name returns "bus".
func (Bus) Name() string { return "bus" }

// Size returns P.
func (b Bus) Size() int { return b.P }

// Neighbours appends all other ranks, beginning with rank+1.
func (b Bus) Neighbours(rank int, dst []int) []int { return everyOther(b.P, rank, dst) }

// Distance is 1 between different ranks, and 0 from a rank to itself.
func (Bus) Distance(a, b int) int { return directDistance(a, b) }
