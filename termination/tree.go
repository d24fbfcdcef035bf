package termination

import (
	"fmt"

	"treesplit/comm"
	"treesplit/topology"
)

// Tree gathers a wave up a spanning tree: a rank that is idle and has heard from
// all its children tells its parent what they and it have counted. Rank 0 judges
// the round and, where it was not clear, sends the next one down the tree. A
// round takes 2(P−1) messages and, over the binomial tree of the hypercube,
// 2⌈log2 P⌉ steps, against the P steps of a ring (Kumar et al., section 5).
type Tree struct {
	name string
	ledger
	edges spanning
	heard int   // children that have reported in this round
	below visit // what they reported
	told  bool  // this rank has reported in this round
	done  bool
}

// NewTree returns rank's part of the wave over the binomial tree of the
// hypercube.
func NewTree(rank, size int) *Tree {
	return &Tree{name: "tree", edges: spanningAt(topology.Binomial{P: size}, rank)}
}

// Idle reports to the parent if all children have reported.
func (d *Tree) Idle(env comm.Env) { d.reportIfComplete(env) }

// Receive takes a child's report, or the parent's call for another round.
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

// reportIfComplete reports once a round, when everything below has. A root without anybody
// below needs no colours: nothing can go on behind its back.
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

// restartRound begins the next round at this rank and below it.
func (d *Tree) restartRound(env comm.Env) {
	d.told, d.heard, d.below = false, 0, visit{}
	for _, c := range d.edges.children {
		env.Send(comm.Message{To: int32(c), Kind: comm.Token, Tag: again})
	}
}

// Done reports whether a round was clear.
func (d *Tree) Done() bool { return d.done }

// String describes the state.
func (d *Tree) String() string {
	return fmt.Sprintf("%s: grants sent-received %d, black %v, heard %d of %d children, told parent %v, done %v",
		d.name, d.count, d.black, d.heard, len(d.edges.children), d.told, d.done)
}
