package lb

import (
	"cmp"
	"fmt"
	"math/bits"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/topology"
)

// AutoSplits is the value of Options.Splits for a k that is chosen by a sample of the tree.
const AutoSplits = -1

// waysShare is the part of W that the ways to parts may take if a dynamic scheme follows.
const waysShare = 1. / 32

// unsampledSplits is added to ⌈log2 P⌉ if no dynamic scheme follows and the nodes belong to another program: 4 to 8
// parts for each rank. More parts balance a large tree better, but their ways are a large part of a small tree, and a
// tree of slow nodes is often small.
const unsampledSplits = 2

// dealer is a rank's part in a static start. 2^k parts of the tree are dealt to all ranks
// before any rank works, in a pseudorandom order, the same number to each rank (Sanders,
// "Randomized Static Load Balancing for Tree-Shaped Computations", figure 1). Rank r of P gets
// the positions from ⌊r·2^k/P⌋ to ⌊(r+1)·2^k/P⌋−1 of the order.
//
// Departures from the paper: P need not be a power of two. The root problem is not sent down
// the tree of ranks, because all ranks know it. Instead k, the seed of the order and a part of
// the credit are sent: one message per rank. The paper assumes that the deviation of the splits is known
// and that splits are free. With AutoSplits all ranks sample the tree first (static_sample.go), and
// their samples are added up on the way to rank 0, which chooses k. Trees whose nodes another program expands are not
// sampled.
type dealer struct {
	share     *dealt
	splits    int  // k, or AutoSplits
	least     int  // ⌈log2 P⌉: at least one part for each rank
	whole     bool // no dynamic scheme follows
	uncounted func() search.Work
	finished  bool // rank 0 has dealt, or another rank has received its parts
	sample    sample
	nodes     int64 // left to expand for the sample of this round
	begun     bool  // the rank has made a dive in this round
	missing   int   // number of samples that the rank waits for: its own sample, and the samples of the ranks below it in the tree
}

// newDealer returns a rank's dealer and wraps its share. It replaces the root, at rank 0, by
// an empty share, because the parts take its place.
func newDealer(o *Options) *dealer {
	if !o.Work.Empty() {
		o.Work = o.Fresh()
	}
	d := &dealer{share: newDealt(o.Work, o.Permutations), splits: o.Splits, whole: o.whole, uncounted: o.Uncounted}
	if d.uncounted == nil {
		d.uncounted = o.Fresh
	}
	o.Work = d.share
	return d
}

// isDealing reports whether the static start is in progress: rank 0 has not dealt yet, or
// another rank has not received its parts.
func (r *rank) isDealing() bool { return r.dealer != nil && !r.dealer.finished }

// beginDealing sets the state at the beginning of a static start. Rank 0 is Busy with dealing. The other ranks
// are Busy if they sample the tree first, and otherwise wait for their parts.
func (r *rank) beginDealing(env comm.Env) {
	r.state = Busy
	r.dealer.least = bits.Len(uint(env.Size() - 1))
	if env.Rank() == 0 {
		r.account.noteReceived(r.work)
		r.credit.holdPiece(0)
	}
	if r.needsSample(env) {
		r.beginRound(env)
	} else if env.Rank() > 0 {
		r.state = Waiting
	}
}

// needsSample reports whether k is chosen from samples of the tree. Nodes of another program can take seconds or minutes
// each. A dive into such a tree would block its rank for many nodes.
func (r *rank) needsSample(env comm.Env) bool {
	w := r.dealer.share.Work
	return r.dealer.splits == AutoSplits && env.Size() > 1 &&
		!search.HasCapability[search.EvenBisecter](w) && !search.HasCapability[search.Transferring](w)
}

// chooseUnsampled returns the k of a tree that is not sampled. dealParts raises it to one part for each rank.
func (r *rank) chooseUnsampled(env comm.Env) int {
	d := r.dealer
	if d.whole && env.Size() > 1 && search.HasCapability[search.Transferring](d.share.Work) {
		return d.least + unsampledSplits
	}
	return 0
}

// beginRound begins a round of samples, in which the rank expands dealer.nodes nodes.
func (r *rank) beginRound(env comm.Env) {
	r.state = Busy
	r.dealer.begun, r.dealer.missing = false, 1+len(r.ranksBelow(env))
}

// ranksBelow returns the children of this rank in the binomial tree of ranks.
func (r *rank) ranksBelow(env comm.Env) []int {
	return (topology.Binomial{P: env.Size()}).Children(env.Rank(), nil)
}

// stepDealing is a step of a static start: dives of about limit nodes if k is chosen from samples, and the deal if nothing
// is missing. Both belong to a step, because they may take as long as many nodes. It reports whether the rank has parts
// now.
func (r *rank) stepDealing(env comm.Env, limit int) bool {
	d := r.dealer
	if d.missing == 0 {
		r.dealParts(env)
		return true
	}
	path := d.nextPath(env)
	isLimited := int64(limit) < d.nodes
	spent := d.sample.takeSample(d.uncounted, path, env.Size(), min(d.nodes, int64(limit)), env.Rand())
	r.stats.Redundant += spent
	d.begun, d.nodes = true, d.nodes-spent
	if isLimited && d.nodes > 0 {
		return false
	}
	r.state = Waiting
	r.passSample(env)
	return d.finished
}

// nextPath returns the path of the first dive of a step.
func (d *dealer) nextPath(env comm.Env) uint64 {
	if d.begun {
		return randomPath(env.Rand())
	}
	return pathInRange(env.Rank(), env.Size(), env.Rand())
}

// takeSampleMessage receives the samples of a rank below this one and of all ranks below that, or the number of
// nodes for another round of samples from the rank above.
func (r *rank) takeSampleMessage(env comm.Env, m comm.Message) {
	d := r.dealer
	switch {
	case !r.isDealing() || (m.Body != nil) == (d.missing == 0):
		r.failUnexpected(m)
	case r.halting || r.state == Done:
	case m.Body == nil:
		d.nodes = m.Arg
		r.beginRound(env)
		r.passRound(env)
	default:
		s, err := parseSample(m.Body)
		if err != nil {
			r.recordError(fmt.Errorf("a Sample of rank %d is invalid: %w", m.From, err))
			return
		}
		d.sample.add(s)
		r.passSample(env)
	}
}

// passRound tells the ranks below this one to begin a round of samples.
func (r *rank) passRound(env comm.Env) {
	for _, c := range r.ranksBelow(env) {
		env.Send(comm.Message{To: int32(c), Kind: comm.Sample, Arg: r.dealer.nodes})
	}
}

// passSample notes that a sample has been added. If none is missing, the samples go to the rank above. Rank 0 begins
// another round, or deals the parts.
func (r *rank) passSample(env comm.Env) {
	d := r.dealer
	if d.missing--; d.missing > 0 {
		return
	}
	if env.Rank() > 0 {
		parent := (topology.Binomial{P: env.Size()}).Parent(env.Rank())
		env.Send(comm.Message{To: int32(parent), Kind: comm.Sample, Body: d.sample.append(nil)})
		d.sample = sample{}
		return
	}
	if d.nodes = d.sample.nextRound(env.Size()); d.nodes > 0 {
		r.beginRound(env)
		r.passRound(env)
		return
	}
	r.state = Busy
	r.dealParts(env)
}

// dealParts deals the parts, at rank 0.
func (r *rank) dealParts(env comm.Env) {
	d := r.dealer
	k := d.splits
	switch {
	case k != AutoSplits:
	case !r.needsSample(env):
		k = r.chooseUnsampled(env)
	case d.whole:
		k = d.sample.chooseSplits(env.Size(), 0)
	default:
		k = d.sample.chooseSplits(env.Size(), waysShare)
	}
	k = min(max(k, d.least), search.MaxSplits)
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
