package lb

import (
	"math/rand/v2"

	"treesplit/comm"
)

// exchange is a rank's part in drawing a truly random permutation, together with all
// other ranks, none of which gets to know all of it (section 3.2 of the paper; see
// gf2perm.Exchange for why every order is equally likely). Each rank's number is an
// item.
//
// Every item draws a destination among the 2^d ranks of the hypercube, and goes there
// dimension by dimension, in d phases: synchronised in pairs, so that each rank knows
// when all its items have come. In d more phases a prefix sum over the dimensions tells
// each rank how many items lie before its own, where ranks are ordered by their
// numbers' digits, those of later dimensions first. It shuffles its items, and the one
// that ends at position p is told: your share moves to rank p. Ranks from 2^d on hand
// their item to their partner in the fold and only wait for the answer. That is about
// 2.5 messages a rank and dimension, where a pseudorandom permutation takes none.
//
// What comes out depends on the seed and the number of exchanges before, not on the
// order of events: the streams are apart from the ranks' own, and a rank's items stand in
// the order of the phases in which they came, each time from one other rank.
type exchange struct {
	rand   *rand.Rand
	items  []item // that are here
	coming []item // that came in a phase which this rank has not ended
	total  int64  // of items, in the subcube that the prefix sum has taken in
	before int64  // of those, on ranks before this one
	target int    // where this rank's share moves to, or −1: not known yet
}

// item is the number of a rank on its way.
type item struct {
	rank, to int32
	phase    int32 // in which it came
}

// exchangeStream is what the numbers of the streams begin with that exchanges draw
// from, one for each rank. No rank has them, nor do generators.
const exchangeStream = 1 << 49

func newExchange(seed uint64, rank int) *exchange {
	return &exchange{rand: rand.New(rand.NewPCG(seed, exchangeStream+uint64(rank))), target: -1}
}

// beginExchange begins an exchange with this rank's own item.
func (e *exchange) beginExchange(env comm.Env, p *plan) {
	e.items = append(e.items[:0], item{rank: int32(env.Rank()), to: int32(e.rand.IntN(1 << p.dims))})
	e.before, e.target = 0, -1
}

// passItems sends on the items that go to the other side of a dimension; in the fold those
// of the upper rank go.
func (e *exchange) passItems(env comm.Env, p *plan, dim int8, phase int32) {
	partner := int32(p.partnerAlong(env.Rank(), dim))
	kept := e.items[:0]
	for _, i := range e.items {
		leaves := (int(i.to)^env.Rank())>>dim&1 == 1
		if int(dim) == p.dims {
			leaves = env.Rank()>>dim == 1
		}
		if leaves {
			env.Send(comm.Message{To: partner, Kind: comm.Item, Tag: phase, Arg: int64(i.rank)<<32 | int64(i.to)})
		} else {
			kept = append(kept, i)
		}
	}
	e.items = kept
}

// bufferItem takes in an item. It may come before this rank has come to the phase, or even to
// the end of the exchange before.
func (e *exchange) bufferItem(m comm.Message) {
	e.coming = append(e.coming, item{rank: int32(m.Arg >> 32), to: int32(m.Arg), phase: m.Tag})
}

// gatherItems ends a phase: the items that came in it are here.
func (e *exchange) gatherItems(phase int32) {
	later := e.coming[:0]
	for _, i := range e.coming {
		if i.phase == phase {
			e.items = append(e.items, i)
		} else {
			later = append(later, i)
		}
	}
	e.coming = later
	e.total = int64(len(e.items))
}

// addToPrefixSum takes the other side of a dimension into the prefix sum.
func (e *exchange) addToPrefixSum(theirs int64, theyComeFirst bool) {
	if theyComeFirst {
		e.before += theirs
	}
	e.total += theirs
}

// placeItems shuffles the items and tells their ranks where to move.
func (e *exchange) placeItems(env comm.Env, cycle int32) {
	e.rand.Shuffle(len(e.items), func(i, j int) { e.items[i], e.items[j] = e.items[j], e.items[i] })
	for i, it := range e.items {
		position := int(e.before) + i
		if int(it.rank) == env.Rank() {
			e.target = position
			continue
		}
		env.Send(comm.Message{To: it.rank, Kind: comm.Target, Tag: cycle, Arg: int64(position)})
	}
	e.items = e.items[:0]
}

// moveToTarget moves the share once it is known where to.
func (r *ShuffleRank) moveToTarget(env comm.Env) bool {
	if r.exact.target < 0 {
		return false
	}
	r.moveShare(env, r.exact.target)
	return true
}
