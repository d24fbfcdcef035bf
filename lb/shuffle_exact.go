package lb

import (
	"math/rand/v2"

	"treesplit/comm"
)

// exchange is a rank's part in drawing a truly random permutation together with all other
// ranks. No rank knows the whole permutation (section 3.2 of the paper; gf2perm.Exchange
// explains why every order is equally likely). Each rank's number is an item.
//
// Every item draws a destination among the 2^d ranks of the hypercube and travels there
// dimension by dimension, in d phases. The phases are synchronised in pairs, so that each rank
// knows when all its items have arrived. In d more phases, a prefix sum over the dimensions
// gives each rank the number of items before its own. For this purpose ranks are ordered by
// the digits of their numbers, the digits of later dimensions first. The rank then shuffles
// its items and sends a message to the rank whose number is at position p: your share moves to
// rank p. Ranks from 2^d on hand their item to their partner in the fold and only wait for the
// answer. This costs about 2.5 messages per rank and dimension; a pseudorandom permutation
// costs none.
//
// The result depends on the seed and the number of previous exchanges, and not on the order of
// events: the random streams are separate from the ranks' own streams, and the items of a rank
// are in the order of the phases in which they arrived. In each phase they come from one other
// rank.
type exchange struct {
	rand   *rand.Rand
	items  []item // the items at this rank
	coming []item // the items that arrived in a phase that this rank has not ended
	total  int64  // number of items in the subcube of the prefix sum
	before int64  // number of these items on ranks before this one
	target int    // the rank to which this rank's share moves, or −1 if it is not known yet
}

// item is the number of a rank on its way to a destination.
type item struct {
	rank, to int32
	phase    int32 // the phase in which it arrived
}

// exchangeStream is the first of the numbers of the random streams for exchanges, one per
// rank. The streams of ranks and of generators have other numbers.
const exchangeStream = 1 << 49

func newExchange(seed uint64, rank int) *exchange {
	return &exchange{rand: rand.New(rand.NewPCG(seed, exchangeStream+uint64(rank))), target: -1}
}

// beginExchange begins an exchange with this rank's own item.
func (e *exchange) beginExchange(env comm.Env, p *plan) {
	e.items = append(e.items[:0], item{rank: int32(env.Rank()), to: int32(e.rand.IntN(1 << p.dims))})
	e.before, e.target = 0, -1
}

// passItems sends the items with destinations on the other side of a dimension. In the fold it
// sends the items of the upper rank.
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

// bufferItem stores an item. The item may arrive before this rank has reached the phase, or
// even before it has ended the previous exchange.
func (e *exchange) bufferItem(m comm.Message) {
	e.coming = append(e.coming, item{rank: int32(m.Arg >> 32), to: int32(m.Arg), phase: m.Tag})
}

// gatherItems ends a phase: the items that arrived in it are now at this rank.
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

// addToPrefixSum adds the items on the other side of a dimension to the prefix sum.
func (e *exchange) addToPrefixSum(theirs int64, theyComeFirst bool) {
	if theyComeFirst {
		e.before += theirs
	}
	e.total += theirs
}

// placeItems shuffles the items and informs their ranks of their positions.
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
