package lb

import (
	"math/bits"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/gf2perm"
	"treesplit/search"
)

// The permutations by which a shuffle moves shares.
const (
	pseudoPermutation = "pseudo" // a product of a few generators that all ranks know
	exactPermutation  = "exact"  // truly random, drawn by all ranks together (exchange)
)

// ShufflePermutations lists the permutations by which shares can be shuffled; the first is the
// default.
var ShufflePermutations = []string{pseudoPermutation, exactPermutation}

const (
	// shuffleGenerators is the number of generators of a run, and shuffleFactors the number of
	// factors of a permutation: 4096 products.
	shuffleGenerators = 16
	shuffleFactors    = 3
	// shuffleStream is the number of the random stream for the generators, and the first of
	// the numbers of the streams for the products, one per cycle. The streams of ranks have
	// other numbers.
	shuffleStream = 1 << 48
)

// generators is a set of permutations of 0..2^k−1 ≥ P−1, the same on every rank. Every shuffle
// draws a product of some of them, determined by the number of its cycle. So no message is
// needed (section 3.2 of the paper).
//
// If P is not a power of two, a rank follows the permutation until it reaches a number below
// P. The result is a permutation of 0..P−1: the cycles of the original one with the numbers
// from P on removed. It takes less than two steps on average.
type generators struct {
	seed uint64
	set  []gf2perm.Permutation
}

// newGenerators returns a set for size ranks, size ≥ 2.
func newGenerators(known *Permutations, seed uint64, size int) *generators {
	g := &generators{seed: seed}
	rng := rand.New(rand.NewPCG(seed, shuffleStream))
	for range shuffleGenerators {
		g.set = append(g.set, known.PowersFromSeed(bits.Len(uint(size-1)), rng.Uint64()))
	}
	return g
}

// imageOfRank returns the rank to which a rank's share moves at the end of a cycle.
func (g *generators) imageOfRank(cycle int32, rank, size int) int {
	rng := rand.New(rand.NewPCG(g.seed, shuffleStream+1+uint64(uint32(cycle))))
	p := gf2perm.DrawProduct(g.set, shuffleFactors, rng)
	to := p.At(uint64(rank))
	for to >= uint64(size) {
		to = p.At(to)
	}
	return int(to)
}

// moving holds the Moves that have arrived and are not begun. A Move belongs to the current
// shuffle or to a later one: if cycles leave out dimensions, a rank may be several cycles
// ahead of another.
type moving struct {
	arrived []comm.Message
}

// moveToTarget moves the share to its next rank, if this rank is known and the share has settled.
// Until then the rank works on. A share that moved at once could be repeated for ever without
// progress.
func (r *ShuffleRank) moveToTarget(env comm.Env) bool {
	to := r.targetOfShare(env)
	if to < 0 || to != env.Rank() && !r.hasSettled() {
		return false
	}
	r.moveShare(env, to)
	return true
}

// targetOfShare returns the rank to which this rank's share moves, or −1 if it is not known yet.
func (r *ShuffleRank) targetOfShare(env comm.Env) int {
	if r.exact != nil {
		return r.exact.target
	}
	return r.plan.generators.imageOfRank(r.cycle, env.Rank(), r.plan.size)
}

// hasSettled reports whether the share, if the rank has one, may move.
func (r *ShuffleRank) hasSettled() bool {
	return r.settler == nil || r.isNotBusy() || r.settler.Settled()
}

// moveShare sends the rank's whole share, with its whole credit, to a rank. An idle rank sends
// a Move without a share. If a rank is mapped to itself, its share stays.
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

// bufferMove stores a Move. For the detector it is in flight until the rank begins the share.
func (r *ShuffleRank) bufferMove(m comm.Message) {
	if len(m.Body) > 0 {
		if !r.checkCredit(m) {
			return
		}
		r.stats.Accepted++
	}
	r.moving.arrived = append(r.moving.arrived, m)
}

// settleMovedShare begins the share that has moved to this rank in this cycle. It returns
// false if the share has not arrived.
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

// closeCycle begins the next cycle after a shuffle.
func (r *ShuffleRank) closeCycle() {
	r.vain = 0
	r.shuffles++
	r.cycle++
	r.stage = entering
}
