package topology

// Bus joins all ranks by a single medium: workstations on an Ethernet. Everybody
// is one hop from everybody, as on a Crossbar; that it carries one message at a
// time is for a simulation to count.
type Bus struct{ P int }

// Name returns "bus".
func (Bus) Name() string { return "bus" }

// Size returns P.
func (b Bus) Size() int { return b.P }

// Neighbours lists all other ranks, beginning with the next one.
func (b Bus) Neighbours(rank int, dst []int) []int { return everyOther(b.P, rank, dst) }

// Distance is 1 between different ranks.
func (Bus) Distance(a, b int) int { return directDistance(a, b) }
