package sanders

import (
	"math"
	"math/rand/v2"

	"treesplit/gf2perm"
)

// orders are the orders in which parts are dealt: a true shuffle, and orders that need no table.
// The static scheme uses powers.
var orders = []struct {
	name string
	make func(k int, rng *rand.Rand) gf2perm.Permutation
}{
	{"shuffle", func(k int, rng *rand.Rand) gf2perm.Permutation { return gf2perm.NewTable(k, rng) }},
	{"powers", func(k int, rng *rand.Rand) gf2perm.Permutation { return gf2perm.NewPowers(k, rng) }},
	{"Sobol", func(k int, rng *rand.Rand) gf2perm.Permutation { return gf2perm.NewSobol(k, 2, rng) }},
}

// loads describes the distribution of the loads of ranks.
type loads struct {
	largest float64 // divided by the mean
	squares float64 // the mean square of the distances from the mean, in units of the mean
}

// dealParts deals 2^k parts of the given sizes to ranks in runs of an order; each rank gets the
// same number of parts. The number of ranks must be a power of two, 2^k at most.
func dealParts(sizes []float64, ranks int, order gf2perm.Permutation) (l loads) {
	total, cursor := 0.0, order.From(0)
	for _, s := range sizes {
		total += s
	}
	mean := total / float64(ranks)
	for range ranks {
		load := 0.0
		for range len(sizes) / ranks {
			load += sizes[cursor.Next()]
		}
		l.largest = max(l.largest, load/mean)
		l.squares += (load/mean - 1) * (load/mean - 1) / float64(ranks)
	}
	return l
}

// spread holds the mean of loads over trees or deals.
type spread struct {
	n       float64
	largest float64
	squares float64
}

func (s *spread) addDealtLoads(l loads) {
	s.n++
	s.largest += l.largest
	s.squares += l.squares
}

// meanLargest returns the mean largest load, in mean loads.
func (s *spread) meanLargest() float64 { return s.largest / s.n }

// deviation returns the standard deviation of a load, in mean loads.
func (s *spread) deviation() float64 { return math.Sqrt(s.squares / s.n) }
