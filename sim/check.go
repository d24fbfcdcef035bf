package sim

import (
	"fmt"

	"treesplit/comm"
	"treesplit/lb"
)

// check holds the invariants of a run. After every event the numbers of nodes expanded, held by
// ranks and in messages add up to W, and no rank assumes that the search is over before it is.
// Without Options.Left only the second invariant is checked, at the moments at which ranks assume
// the end.
type check struct {
	world    *world
	full     bool
	left     []int64 // by rank, after its last event
	total    int64   // sum of left
	carried  int64   // nodes in messages
	expanded int64
	counted  []int64 // nodes expanded by rank, at its last event
	pieces   int64   // messages with a body in flight
}

func newCheck(w *world) check {
	o := &w.options
	c := check{world: w, full: o.Nodes > 0 && o.Left != nil && o.LeftIn != nil}
	if c.full {
		c.left, c.counted = make([]int64, len(w.ranks)), make([]int64, len(w.ranks))
	}
	return c
}

func (c *check) recordViolation(format string, args ...any) {
	if c.world.err == nil {
		c.world.err = fmt.Errorf("invariant: "+format, args...)
	}
}

// countInitialNodes counts the nodes that a rank holds at the beginning.
func (c *check) countInitialNodes(rank int) {
	if c.full {
		c.left[rank] = c.world.options.Left(rank)
		c.total += c.left[rank]
	}
}

// countSent counts the nodes of a message with a body that is sent.
func (c *check) countSent(m comm.Message) {
	c.pieces++
	if c.full {
		c.carried += c.world.options.LeftIn(m.Body)
	}
}

// countReceived subtracts the nodes of a message that is received.
func (c *check) countReceived(m comm.Message) {
	c.pieces--
	if c.full {
		c.carried -= c.world.options.LeftIn(m.Body)
	}
}

// checkRank checks a rank after one of its events, if the check is full.
func (c *check) checkRank(r *rank) {
	i := r.number
	n, e := c.world.options.Left(int(i)), r.balancer.Stats().Expanded
	c.total += n - c.left[i]
	c.expanded += e - c.counted[i]
	c.left[i], c.counted[i] = n, e
	if w := c.world.options.Nodes; c.expanded+c.total+c.carried != w {
		c.recordViolation("after an event of rank %d at %v: %d nodes are expanded, %d left on ranks, %d in messages: expected %d in all",
			i, r.clock.Duration(), c.expanded, c.total, c.carried, w)
	}
}

// checkBelievedEnd checks whether a rank is right to assume that the search is over. No node may be
// unexpanded, none may be expanded later in virtual time, and no piece may be in flight.
func (c *check) checkBelievedEnd(r *rank) {
	if r.balancer.Reason() != lb.Exhausted {
		return
	}
	w := c.world
	switch {
	case w.lastExpansion > r.clock:
		c.recordViolation("rank %d assumes the end of the search at %v, but a node is expanded at %v", r.number, r.clock.Duration(), w.lastExpansion.Duration())
	case c.pieces > 0:
		c.recordViolation("rank %d assumes the end of the search at %v, but %d pieces are in flight", r.number, r.clock.Duration(), c.pieces)
	case c.full && c.expanded != w.options.Nodes:
		c.recordViolation("rank %d assumes the end of the search at %v, after %d of %d nodes", r.number, r.clock.Duration(), c.expanded, w.options.Nodes)
	}
}

// auditTotals checks at the end of a run that all ranks have ended and that the counts agree:
// messages sent and received by kind, nodes, pieces and their credits.
func (w *world) auditTotals() error {
	if w.ended < len(w.ranks) {
		return fmt.Errorf("no event is left, but %d of %d ranks do not know of an end: %s", len(w.ranks)-w.ended, len(w.ranks), w.dumpRanks())
	}
	if w.sent != w.received {
		return fmt.Errorf("messages sent and received by kind: %v and %v", w.sent, w.received)
	}
	var sum lb.Audit
	var stats lb.Stats
	exhausted := true
	for i := range w.ranks {
		b := w.ranks[i].balancer
		stats.AddCounts(b.Stats())
		a := b.Audit()
		sum.Recovered.AddFraction(&a.Recovered)
		sum.Recovered.AddFraction(&a.Held)
		exhausted = exhausted && b.Reason() == lb.Exhausted
	}
	switch n := w.options.Nodes; {
	case !sum.Recovered.IsExactlyOne():
		return fmt.Errorf("the credits of all pieces add up to %v", &sum.Recovered)
	case stats.Grants != stats.Accepted:
		return fmt.Errorf("%d pieces were given and %d taken", stats.Grants, stats.Accepted)
	case n > 0 && (stats.Expanded > n || exhausted && stats.Expanded != n):
		return fmt.Errorf("%d of %d nodes were expanded", stats.Expanded, n)
	}
	return nil
}
