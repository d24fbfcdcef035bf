package lb

import (
	"cmp"
	"fmt"
	"math/bits"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/topology"
)

// AutoSplits is the value of Options.Splits for a k that is chosen by a probe of the tree.
const AutoSplits = -1

const (
	probeShare = 0.01    // of a run, for which the probe may take
	probeWaste = 1. / 32 // of W, for the ways to parts if a dynamic scheme follows
)

// dealer is a rank's part in a static start. 2^k parts of the tree are dealt to all ranks
// before any rank works, in a pseudorandom order, the same number to each rank (Sanders,
// "Randomized Static Load Balancing for Tree-Shaped Computations", figure 1). Rank r of P gets
// the positions from ⌊r·2^k/P⌋ to ⌊(r+1)·2^k/P⌋−1 of the order.
//
// Departures from the paper: P need not be a power of two. The root problem is not sent down
// the tree of ranks, because all ranks know it. Instead k, the seed of the order and a part of
// the credit are sent: one message per rank.
type dealer struct {
	share    *dealt
	splits   int  // k, or AutoSplits
	whole    bool // no dynamic scheme follows
	probe    func() search.Work
	finished bool // rank 0 has dealt, or another rank has received its parts
}

// newDealer returns a rank's dealer and wraps its share. It replaces the root, at rank 0, by
// an empty share, because the parts take its place.
func newDealer(o *Options) *dealer {
	if !o.Work.Empty() {
		o.Work = o.Fresh()
	}
	d := &dealer{share: newDealt(o.Work, o.Permutations), splits: o.Splits, whole: o.whole, probe: o.Probe}
	if d.probe == nil {
		d.probe = o.Fresh
	}
	o.Work = d.share
	return d
}

// newProbeShare returns a share for the probe.
func (d *dealer) newProbeShare() search.Bisecter {
	b, _ := search.As[search.Bisecter](d.probe())
	return b
}

// isDealing reports whether the static start is in progress: rank 0 has not dealt yet, or
// another rank has not received its parts.
func (r *rank) isDealing() bool { return r.dealer != nil && !r.dealer.finished }

// dealParts deals the parts, at rank 0. It is part of the first step, because choosing k may
// take as long as many nodes.
func (r *rank) dealParts(env comm.Env) {
	d := r.dealer
	k := d.splits
	if k == AutoSplits && search.HasCapability[search.EvenBisecter](r.work) {
		k = 0 // raised below to a part for each rank
	} else if k == AutoSplits {
		budget := ProbeBudget{Nodes: ProbeNodes, Share: probeShare, Waste: probeWaste}
		if d.whole {
			budget.Waste = 0
		}
		p := ProbeTree(d.newProbeShare, env.Size(), budget, env.Rand())
		r.stats.Redundant += p.Spent
		k = p.Splits
	}
	k = min(max(k, bits.Len(uint(env.Size()-1))), search.MaxSplits)
	r.spreadParts(env, order{k: k, seed: env.Rand().Uint64()}, 0, 1<<k)
}

// spreadParts sends the last of the positions from, …, to−1 to the ranks below this one in the
// binomial tree, whose subtrees are runs of ranks. It keeps the first positions.
func (r *rank) spreadParts(env comm.Env, o order, from, to uint64) {
	var below [64]int
	for _, c := range (topology.Binomial{P: env.Size()}).Children(env.Rank(), below[:0]) {
		first := o.firstPosition(c, env.Size())
		body := o.appendRange(make([]byte, 0, dealtLen), first, to)
		r.handOverPiece(env, comm.Message{To: int32(c), Kind: comm.Deal, Arg: r.credit.giveAwayHalf(), Body: body})
		to = first
	}
	r.assignParts(o, from, to)
}

// assignParts makes the rank hold the parts that it was dealt.
func (r *rank) assignParts(o order, from, to uint64) {
	r.dealer.share.assignRange(o, from, to)
	r.account.noteReceived(r.dealer.share)
	r.dealer.finished = true
}

// firstPosition returns the first position of a rank of p.
func (o order) firstPosition(rank, p int) uint64 {
	high, low := bits.Mul64(uint64(rank), 1<<o.k)
	q, _ := bits.Div64(high, low, uint64(p))
	return q
}

// takeDealtParts receives the parts of this rank and of the ranks below it. After the end of
// the run they are kept for the audit.
func (r *rank) takeDealtParts(env comm.Env, m comm.Message) {
	if !r.isDealing() || env.Rank() == 0 {
		r.failUnexpected(m)
		return
	}
	o, from, to, err := parseRange(m.Body)
	if err = cmp.Or(err, o.checkPositions(env, from, to)); err != nil {
		r.recordError(fmt.Errorf("a Deal of rank %d is invalid: %w", m.From, err))
		return
	}
	if !r.checkCredit(m) {
		return
	}
	r.detector.Received()
	r.stats.Accepted++
	r.credit.holdPiece(m.Arg)
	if r.state == Done || r.halting {
		r.assignParts(o, from, to)
		return
	}
	r.state, r.told = Busy, false
	r.spreadParts(env, o, from, to)
}

// checkPositions returns an error unless the positions are the ones of this rank and the ranks
// below it.
func (o order) checkPositions(env comm.Env, from, to uint64) error {
	end := min(env.Rank()+env.Rank()&-env.Rank(), env.Size())
	if a, b := o.firstPosition(env.Rank(), env.Size()), o.firstPosition(end, env.Size()); from != a || to != b {
		return fmt.Errorf("the Deal has positions %d to %d: expected %d to %d", from, to, a, b)
	}
	return nil
}

// StaticRank is a rank under the static scheme. It searches the parts that it was dealt and
// sends no requests.
type StaticRank struct{ rank }

// NewStaticRank returns a rank under the static scheme.
func NewStaticRank(o Options) *StaticRank { return &StaticRank{rank: newRank(o)} }

// Start begins the search.
func (r *StaticRank) Start(env comm.Env) {
	r.beginSearch(env)
	r.wait()
}

// Step expands nodes.
func (r *StaticRank) Step(env comm.Env, limit int) int {
	n := r.expandNodes(env, limit)
	r.wait()
	return n
}

// Deliver handles a message.
func (r *StaticRank) Deliver(env comm.Env, m comm.Message) {
	if !r.handleControl(env, m) {
		r.failUnexpected(m)
	}
}

// Wake does nothing: the scheme sets no alarm.
func (r *StaticRank) Wake(comm.Env) {}
