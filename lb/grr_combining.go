package lb

import (
	"math/bits"

	"treesplit/comm"
)

// Combining (GRR-M, Kumar et al., sections 4.4 and 5.3.3) is GRR with message combining in
// software. Requests for TARGET travel up a tree embedded in the hypercube. A node of the tree
// holds a single request for up to Delay (δ). If another request arrives in this time, the
// node sends both as one addition of their sum. A larger δ combines more requests and takes
// longer. With δ = 0 the scheme is GRR over a tree.
//
// The level-l node of the tree exists at every rank whose low l bits are zero. Its children
// are the level l−1 nodes at that rank and at rank + 2^(l−1). The root, at level ⌈log2 P⌉ of
// rank 0, holds TARGET. A rank handles all its own levels itself; only a step to another rank
// costs a message. P need not be a power of two: a node without a second child passes its
// requests on at once.
type Combining struct {
	delay  comm.Time
	target int64 // TARGET, on rank 0
	top    int   // level of the root, ⌈log2 P⌉
	levels []combiner
	donor  int  // the answer to this rank's own request
	ok     bool // donor is set
}

// combiner is one node of the tree: the request that it holds, and the requests that it has
// sent up, in order. The parent answers in the same order.
type combiner struct {
	held  fetch
	since comm.Time // the time when held arrived
	above fifo
}

// fetch requests count values of TARGET for a child of a node.
type fetch struct {
	child int8 // 0: the node one level down at this rank; 1: the one at rank + 2^(level−1)
	count int64
}

// combined is a request that was sent up: one fetch, or two as one.
type combined struct{ first, second fetch }

// NewCombining returns the Selector of the given rank of size ranks.
func NewCombining(delay comm.Time, rank, size int) *Combining {
	top := bits.Len(uint(size - 1))
	own := top // the highest level that has a node at this rank
	if rank != 0 {
		own = bits.TrailingZeros(uint(rank))
	}
	return &Combining{delay: delay, top: top, levels: make([]combiner, own+1)}
}

// Next sends a request for one value up from the rank's leaf, level 0.
func (s *Combining) Next(env comm.Env) (donor int, ok bool) {
	s.passToParent(env, 0, 1)
	return s.takeAnswer()
}

// Receive handles a child's request or the parent's answer.
func (s *Combining) Receive(env comm.Env, m comm.Message) (donor int, ok bool) {
	level := int(m.Tag)
	switch {
	case m.Kind == comm.FetchAdd && 0 < level && level < len(s.levels):
		s.handleFetch(env, level, fetch{child: 1, count: m.Arg})
	case m.Kind == comm.FetchAddReply && level == len(s.levels)-1:
		s.handleReply(env, level, m.Arg)
	}
	return s.takeAnswer()
}

// Wake sends up the requests that have been held for δ.
func (s *Combining) Wake(env comm.Env) (donor int, ok bool) {
	for level := range s.levels {
		n := &s.levels[level]
		if n.held.count > 0 && env.Now() >= n.since+s.delay {
			s.sendCombined(env, level, combined{first: n.held})
		}
	}
	return s.takeAnswer()
}

// takeAnswer returns the answer to the rank's own request, once.
func (s *Combining) takeAnswer() (donor int, ok bool) {
	donor, ok, s.ok = s.donor, s.ok, false
	return donor, ok
}

// handleFetch handles a request at the node of a level. The root answers it. Another node
// combines it with the request that it holds. If it holds none, it holds this one if a second
// child can send another, and sends it up otherwise.
func (s *Combining) handleFetch(env comm.Env, level int, f fetch) {
	n := &s.levels[level]
	switch {
	case level == s.top:
		before := s.target
		s.target += f.count
		s.answerChild(env, level, f, before)
	case n.held.count > 0:
		s.sendCombined(env, level, combined{n.held, f})
	case s.delay == 0 || env.Rank()+1<<(level-1) >= env.Size():
		s.sendCombined(env, level, combined{first: f})
	default:
		n.held, n.since = f, env.Now()
		env.Alarm(n.since + s.delay)
	}
}

// sendCombined sends a request up and records for which children it is.
func (s *Combining) sendCombined(env comm.Env, level int, c combined) {
	n := &s.levels[level]
	n.held = fetch{}
	n.above.pushCombined(c)
	s.passToParent(env, level, c.first.count+c.second.count)
}

// passToParent passes a request from a node to its parent.
func (s *Combining) passToParent(env comm.Env, level int, count int64) {
	if level+1 < len(s.levels) {
		s.handleFetch(env, level+1, fetch{child: 0, count: count})
		return
	}
	parent := env.Rank() &^ (1 << level)
	env.Send(comm.Message{To: int32(parent), Kind: comm.FetchAdd, Tag: int32(level + 1), Arg: count})
}

// handleReply handles the parent's answer at the node of a level.
func (s *Combining) handleReply(env comm.Env, level int, value int64) {
	if level == 0 {
		s.donor, s.ok = donorOfTarget(env, value), true
		return
	}
	c, ok := s.levels[level].above.popCombined()
	if !ok {
		return
	}
	s.answerChild(env, level, c.first, value)
	if c.second.count > 0 {
		s.answerChild(env, level, c.second, value+c.first.count)
	}
}

// answerChild answers a child of the node of a level.
func (s *Combining) answerChild(env comm.Env, level int, f fetch, value int64) {
	if f.child == 0 {
		s.handleReply(env, level-1, value)
		return
	}
	child := env.Rank() + 1<<(level-1)
	env.Send(comm.Message{To: int32(child), Kind: comm.FetchAddReply, Tag: int32(level - 1), Arg: value})
}

// fifo is a queue that reuses its memory once it has run empty.
type fifo struct {
	items []combined
	head  int
}

func (q *fifo) pushCombined(c combined) { q.items = append(q.items, c) }

func (q *fifo) popCombined() (combined, bool) {
	if q.head == len(q.items) {
		return combined{}, false
	}
	c := q.items[q.head]
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return c, true
}
