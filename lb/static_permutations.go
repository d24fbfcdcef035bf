package lb

import (
	"math/rand/v2"

	"treesplit/gf2perm"
)

// Permutations remembers pseudorandom permutations by what they are made from, so
// that the ranks of a simulation need one of each between them and not one each:
// it takes 6 KiB per 8 bits of k. It is not for use by several goroutines at once. The zero value
// is empty.
type Permutations struct {
	powers map[permutationKey]*gf2perm.Powers
	plans  map[planKey]*plan // of poll and shuffle
}

// mostPowers is how many are remembered: more than a run makes, but a checkpoint may hold
// pieces that name any number. 12 MiB at most.
const mostPowers = 256

type permutationKey struct {
	k    int
	seed uint64
}

// PowersFromSeed returns the permutation of 0..2^k−1 that a seed stands for, the same on
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
