package termination

import (
	"fmt"

	"treesplit/comm"
	"treesplit/topology"
)

// Tree collects a wave up a spanning tree. A rank that is idle and has received the reports of
// all its children sends its parent the sum of their counts and its own. Rank 0 evaluates the
// round and, if it was not clear, starts the next one down the tree. A round takes 2(P−1)
// messages and, over the binomial tree of the hypercube, 2⌈log2 P⌉ steps. A ring takes P steps
// (Kumar et al., section 5).
type Tree struct {
	name string
	ledger
	edges spanning
	heard int   // children that have reported in this round
	below visit // the sum of their reports
	told  bool  // this rank has reported in this round
	done  bool  // a round was clear
}

// NewTree returns rank's part of the wave over the binomial tree of the hypercube.
func NewTree(rank, size int) *Tree {
	return &Tree{name: "tree", edges: spanningAt(topology.Binomial{P: size}, rank)}
}

// Idle reports to the parent if all children have reported.
func (d *Tree) Idle(env comm.Env) { d.reportIfComplete(env) }

// Receive handles a child's report, or the parent's request for another round.
func (d *Tree) Receive(env comm.Env, m comm.Message, idle bool) {
	if m.Tag == again {
		d.restartRound(env)
	} else {
		d.heard++
		d.below = d.below.joinVisit(visitFromToken(m))
	}
	if idle {
		d.reportIfComplete(env)
	}
}

// reportIfComplete reports once per round, after all children have. If the root has no
// children it ignores the colour, because no other rank can work between its visits.
func (d *Tree) reportIfComplete(env comm.Env) {
	if d.told || d.done || d.heard < len(d.edges.children) {
		return
	}
	round := d.below.joinVisit(d.takeVisit())
	if d.edges.parent >= 0 {
		d.told = true
		round.sendToken(env, d.edges.parent)
		return
	}
	d.done = round.isClearRound() || round.count == 0 && len(d.edges.children) == 0
	if !d.done {
		d.restartRound(env)
	}
}

// restartRound begins the next round at this rank and its children.
func (d *Tree) restartRound(env comm.Env) {
	d.told, d.heard, d.below = false, 0, visit{}
	for _, c := range d.edges.children {
		env.Send(comm.Message{To: int32(c), Kind: comm.Token, Tag: again})
	}
}

// Done reports whether a round was clear.
func (d *Tree) Done() bool { return d.done }

// String returns a description of the state.
func (d *Tree) String() string {
	return fmt.Sprintf("%s: grants sent-received %d, black %v, reports from %d of %d children, reported to parent %v, done %v",
		d.name, d.count, d.black, d.heard, len(d.edges.children), d.told, d.done)
}
