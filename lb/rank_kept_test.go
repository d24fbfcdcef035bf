package lb

import (
	"testing"

	"treesplit/termination"
)

// The credits that ranks begin with in a search that goes on add up to 1, on any number of them.
func TestKeptCreditsAddUp(t *testing.T) {
	for size := 1; size <= 300; size++ {
		var sum termination.Fraction
		for rank := range size {
			sum.Add(keptExponent(rank, size))
		}
		if !sum.One() {
			t.Errorf("%d ranks: %v, want 1", size, &sum)
		}
	}
}
