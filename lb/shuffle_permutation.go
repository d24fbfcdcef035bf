package lb

import (
	"math/bits"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/gf2perm"
	"treesplit/search"
)

// The permutations that shuffles move shares by.
const (
	pseudoPermutation = "pseudo" // a product of a few generators, which all ranks know
	exactPermutation  = "exact"  // truly random, drawn by all ranks together (exchange)
)

// ShufflePermutations lists the permutations that shares may be shuffled by; the first
// is the one where Options names none.
var ShufflePermutations = []string{pseudoPermutation, exactPermutation}

const (
	// shuffleGenerators are made for a run, and shuffleFactors of them make a
	// permutation: 4096 products.
	shuffleGenerators = 16
	shuffleFactors    = 3
	// shuffleStream is the number of the stream that generators are made from, and what
	// the numbers of those begin with that draw the products, one for each cycle. No
	// rank has them.
	shuffleStream = 1 << 48
)

// generators are a set of permutations of 0..2^k−1 ≥ P−1, the same on every rank.
// Every shuffle draws a product of some of them, by the number of its cycle, so that
// no message tells ranks which it is (section 3.2 of the paper).
//
// Where P is not a power of two a rank follows the permutation until it meets a number
// below P. That is a permutation of 0..P−1, the one that the cycles of the other leave
// when the numbers from P on are taken out; it takes less than two steps on average.
type generators struct {
	seed uint64
	set  []gf2perm.Permutation
}

// newGenerators makes a set for size ranks, at least 2.
func newGenerators(known *Permutations, seed uint64, size int) *generators {
	g := &generators{seed: seed}
	rng := rand.New(rand.NewPCG(seed, shuffleStream))
	for range shuffleGenerators {
		g.set = append(g.set, known.PowersFromSeed(bits.Len(uint(size-1)), rng.Uint64()))
	}
	return g
}

// imageOfRank returns the rank that a rank's share moves to at the end of a cycle.
func (g *generators) imageOfRank(cycle int32, rank, size int) int {
	rng := rand.New(rand.NewPCG(g.seed, shuffleStream+1+uint64(uint32(cycle))))
	p := gf2perm.DrawProduct(g.set, shuffleFactors, rng)
	to := p.At(uint64(rank))
	for to >= uint64(size) {
		to = p.At(to)
	}
	return int(to)
}

// moving holds the Moves that have come and are not settled in. One that comes is for
// the current shuffle or for one further on: where cycles leave out dimensions a rank
// may be some cycles ahead of another.
type moving struct {
	arrived []comm.Message
}

// moveShare sends the rank's whole share, with its whole credit, to a rank; an idle one
// tells it that there is none. The share of a rank that is mapped to itself stays.
func (r *ShuffleRank) moveShare(env comm.Env, to int) {
	if to == env.Rank() {
		r.closeCycle()
		return
	}
	r.stage = shuffling
	m := comm.Message{To: int32(to), Kind: comm.Move, Tag: r.cycle}
	if r.isNotBusy() {
		env.Send(m)
		return
	}
	before := search.WeightOf(r.work)
	m.Body = r.packer.Pack(nil)
	r.account.noteCutOff(r.work, before)
	m.Arg = r.credit.giveAwayAll()
	r.handOverPiece(env, m)
	r.state = Waiting
	r.reportIdle(env)
}

// bufferMove takes in a Move. To the detector it is on its way until the rank settles in.
func (r *ShuffleRank) bufferMove(m comm.Message) {
	if len(m.Body) > 0 {
		if !r.checkCredit(m) {
			return
		}
		r.stats.Accepted++
	}
	r.moving.arrived = append(r.moving.arrived, m)
}

// settleMovedShare begins to work on the share that has moved here in this cycle, if it has
// come.
func (r *ShuffleRank) settleMovedShare() bool {
	all := r.moving.arrived
	for i, m := range all {
		if m.Tag != r.cycle {
			continue
		}
		all[i], all[len(all)-1] = all[len(all)-1], comm.Message{}
		r.moving.arrived = all[:len(all)-1]
		if len(m.Body) > 0 {
			r.detector.Received()
			r.beginPiece(m)
		}
		r.closeCycle()
		return true
	}
	return false
}

// closeCycle goes on to the next cycle after a shuffle.
func (r *ShuffleRank) closeCycle() {
	r.vain = 0
	r.shuffles++
	r.cycle++
	r.stage = entering
}
