package chaos

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
)

// maxEvents is far above the number of events of any segment, at most some tens of thousands. A
// segment that reaches it is stuck.
const maxEvents = 1e6

// mostPauses is the largest number of interruptions of a search.
const mostPauses = 4

// chain is a search in one segment or several segments.
type chain struct {
	*world
	draw *rand.Rand
	tree tree
	told []string
	out  Outcome

	// Fields of the current segment:
	segment segment
	from    *shares.Remainder // the pieces with which it begins; nil: the root
	bound   int64             // the least value known before the segment
	shares  shares.Builder
	members []lb.Balancer
	refused int // shares made so far; numbers the streams of refusals
}

// searchInSegments runs one segment after the other until the search is over.
func (c *chain) searchInSegments() error {
	left, pauses := c.tree.nodes, 0
	if c.out.Nodes, c.bound = left, search.NoBound; !happensOnceIn(c.draw, 3) {
		pauses = 1 + c.draw.IntN(mostPauses)
	}
	for ; ; pauses-- {
		c.segment = drawSegment(c.draw, &c.tree, c.countOpenPieces())
		if pauses > 0 {
			c.segment.drawPause(c.draw, left)
		}
		c.told = append(c.told, c.segment.String())
		r, err := c.simulateSegment(left)
		if err != nil {
			return err
		}
		if over, err := c.checkSegmentEnd(r, left); over || err != nil {
			return err
		}
		left -= r.Stats.Expanded
		if over, err := c.collectRemaining(left); over || err != nil {
			return err
		}
	}
}

// countOpenPieces returns the number of pieces with which the next segment begins.
func (c *chain) countOpenPieces() int {
	if c.from == nil {
		return 0
	}
	return len(c.from.Left.Pieces)
}

// simulateSegment runs a segment and counts it. left is the number of nodes that have not been
// expanded before.
func (c *chain) simulateSegment(left int64) (sim.Result, error) {
	l := &c.segment
	c.prepareShares()
	network, err := l.machine.SchemeNetwork(l.ranks)
	if err != nil {
		return sim.Result{}, err
	}
	permutations := new(lb.Permutations)
	o := sim.Options{Faults: l.faults, MaxEvents: maxEvents, PauseAt: l.pauseAt, LeftIn: c.nodesInMessage}
	if !c.tree.witness {
		o.Nodes, o.Left = left, c.remainingAtRank()
	}
	r, err := sim.Run(l.machine, l.ranks, l.seed, func(rank int) lb.Balancer {
		options := l.options
		splits := options.Splits // more parts than pieces, or fewer
		c.shares.FillOptions(&options, rank)
		options.Splits = splits
		options.Uncounted = func() search.Work { return c.makeOwnShare(l.split, false) }
		options.Network, options.Permutations = network, permutations
		b, err := c.buildBalancer(options, rank)
		if err != nil {
			panic(err)
		}
		c.members = append(c.members, b)
		return b
	}, o)
	c.out.recordSegment(l, r)
	if err != nil {
		return r, err
	}
	if spent := r.Busy + r.Overhead + r.Idle; spent != comm.Time(l.ranks)*r.Time {
		return r, fmt.Errorf("ranks spent %v in all, expected %d times %v", spent.Duration(), l.ranks, r.Time.Duration())
	}
	return r, nil
}

// buildBalancer makes one rank of the segment's scheme.
func (c *chain) buildBalancer(o lb.Options, rank int) (lb.Balancer, error) {
	d, err := termination.New(c.segment.detector, rank, c.segment.ranks)
	if err != nil {
		return nil, err
	}
	o.Detector = d
	if c.detector != nil {
		o.Detector = c.detector(d, rank)
	}
	b, err := lb.New(c.segment.scheme, o, rank, c.segment.ranks)
	if err == nil && c.balancer != nil {
		b = c.balancer(b, rank)
	}
	return b, err
}

// recordSegment adds the counts of a segment.
func (o *Outcome) recordSegment(l *segment, r sim.Result) {
	o.Segments++
	o.Events += r.Events
	o.Schemes, o.Detectors = append(o.Schemes, l.scheme), append(o.Detectors, l.detector)
	h := fnv.New64a()
	for _, n := range []int64{int64(o.Digest), int64(r.Time), r.Events, r.Stats.Expanded, r.Stats.Requests, r.Stats.Grants, r.Stats.Bytes, r.AllMessages()} {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	o.Digest = h.Sum64()
}

// prepareShares prepares the shares of a segment in the same way as runs do. If all ranks begin
// with work, it draws which rank gets which piece.
func (c *chain) prepareShares() {
	c.members = nil
	c.shares = shares.Builder{Share: c.makeOwnShare, Splitting: c.segment.split, Damage: c.segment.damage, From: c.from}
	if c.from == nil {
		return
	}
	c.from.Kept = nil
	if !c.segment.options.Kept {
		return
	}
	c.from.Kept = map[int]shares.Pieces{}
	draw := rand.New(rand.NewPCG(c.segment.seed, stream))
	for i, p := range c.from.Left.Pieces {
		rank := draw.IntN(c.segment.ranks)
		own := c.from.Kept[rank]
		c.from.Kept[rank] = shares.Pieces{Pieces: append(own.Pieces, p), Sizes: append(own.Sizes, c.from.Left.Sizes[i])}
	}
}

// makeOwnShare makes a share of the tree itself, which refuses some splits.
func (c *chain) makeOwnShare(split search.Splitting, root bool) search.Work {
	c.refused++
	return &share{
		Work:   c.tree.share(split, root),
		refuse: rand.New(rand.NewPCG(c.segment.seed, stream+uint64(c.refused))), oneIn: c.segment.refuse, piece: c.piece,
	}
}

// nodesInMessage returns the number of nodes that a message carries, for machines on which this
// number determines the size of the message. Only their receiver can read ranges of parts of
// pieces.
func (c *chain) nodesInMessage(piece []byte) int64 {
	if c.from != nil && lb.HasStaticStart(c.segment.scheme) && !c.segment.options.Kept {
		return int64(len(piece))
	}
	return c.countPieceNodes(piece)
}

// counting is a share that knows the number of its remaining nodes.
type counting interface{ Left() int64 }

// remainingAtRank returns a function that counts the remaining nodes of a rank, if its shares can
// count them. The simulator then checks after every event that no node is missing.
func (c *chain) remainingAtRank() func(rank int) int64 {
	if !search.HasCapability[counting](c.tree.blind()) || c.from != nil || c.segment.damage > 0 || !lb.HoldsInShare(c.segment.scheme) {
		return nil
	}
	return func(rank int) int64 {
		w, _ := search.As[counting](c.shares.BuiltShares()[rank])
		return w.Left()
	}
}

// countPieceNodes returns the number of nodes of a piece. It counts them by expanding them in a
// separate share.
func (c *chain) countPieceNodes(piece []byte) (nodes int64) {
	search.EachPiece(piece, func(p []byte) {
		w := c.makeEmptyShare()
		if err := w.Accept(p); err != nil {
			panic(fmt.Sprintf("no share accepts a piece: %v", err))
		}
		for !w.Empty() {
			nodes += int64(w.Expand(mostNodes))
		}
	})
	return nodes
}

// makeEmptyShare makes an empty share without witnesses that belongs to no segment.
func (c *chain) makeEmptyShare() search.Work {
	w := c.tree.blind()
	if search.HasCapability[search.Bisecter](w) {
		return lb.AcceptParts(w)
	}
	return w
}

// saveAndReload encodes pieces as a checkpoint and decodes them again.
func (c *chain) saveAndReload(pieces [][]byte) ([][]byte, error) {
	c.out.Encoded++
	data, err := checkpoint.Encode(&run.Checkpoint{Header: run.Header{Identity: c.tree.name, Sessions: 1, Bound: c.bound}, Pieces: pieces})
	if err != nil {
		return nil, err
	}
	s, err := checkpoint.Decode(data)
	if err != nil {
		return nil, err
	}
	if s.Bound != c.bound || s.Identity != c.tree.name {
		return nil, fmt.Errorf("a checkpoint of %q, %d: expected %q, %d", s.Identity, s.Bound, c.tree.name, c.bound)
	}
	return s.Pieces, nil
}
