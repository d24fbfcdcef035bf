package lb

import (
	"math/rand/v2"

	"treesplit/gf2perm"
)

// Permutations caches pseudorandom permutations by their parameters, so that all ranks of a
// simulation share one copy of each. A permutation takes 6 KiB per 8 bits of k. Permutations
// must not be used by several goroutines at the same time. The zero value is empty.
type Permutations struct {
	powers map[permutationKey]*gf2perm.Powers
	plans  map[planKey]*plan // of poll and shuffle
}

// mostPowers is the largest number of cached permutations. A run makes fewer, but a checkpoint
// may hold pieces with any number of orders. They take at most 12 MiB.
const mostPowers = 256

type permutationKey struct {
	k    int
	seed uint64
}

// PowersFromSeed returns the permutation of 0..2^k−1 with the given seed. It is the same on
// every rank; 1 ≤ k ≤ gf2perm.MaxBits.
func (p *Permutations) PowersFromSeed(k int, seed uint64) *gf2perm.Powers {
	key := permutationKey{k, seed}
	if made, ok := p.powers[key]; ok {
		return made
	}
	if p.powers == nil || len(p.powers) == mostPowers {
		p.powers = map[permutationKey]*gf2perm.Powers{}
	}
	made := gf2perm.NewPowers(k, rand.New(rand.NewPCG(seed, uint64(k))))
	p.powers[key] = made
	return made
}
