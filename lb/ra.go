package lb

import (
	"treesplit/comm"
	"treesplit/search"
)

// ScatterRank is a rank under randomized allocation (RA, Shu and Kalé 1989; Kumar
// et al., section 6.3): every node above the granularity cutoff is expanded where
// it is, and each of its children goes to a rank drawn at random, without being
// asked for. Nodes at the cutoff are searched whole where they land. Idle ranks
// do nothing.
//
// Ranade's variant (1991) lays the tree over a butterfly: a child goes to one of
// the two successors of its node's place, drawn by a coin, and the butterfly over
// the hypercube, so that a message crosses one link at most: at level d the
// successors of rank r are r itself and r with bit d mod ⌈log2 P⌉ flipped.
type ScatterRank struct {
	rank
	tasks  search.Subtasker
	cutoff int32
	target func(env comm.Env, depth int32) int
}

// NewScatterRank returns a rank under RA, or under Ranade's variant.
func NewScatterRank(o Options, target func(env comm.Env, depth int32) int) *ScatterRank {
	return &ScatterRank{rank: newRank(o), tasks: asSubtasker(o.Work), cutoff: int32(o.Cutoff), target: target}
}

// drawAnyRank draws from all ranks.
func drawAnyRank(env comm.Env, _ int32) int { return env.Rand().IntN(env.Size()) }

// drawSuccessor draws one of the two successors in the butterfly.
func drawSuccessor(env comm.Env, depth int32) int {
	dims := int32(0)
	for 1<<dims < env.Size() {
		dims++
	}
	if dims == 0 || env.Rand().IntN(2) == 0 {
		return env.Rank()
	}
	to := env.Rank() ^ 1<<(depth%dims)
	if to >= env.Size() {
		return env.Rank()
	}
	return to
}

// Start takes stock.
func (r *ScatterRank) Start(env comm.Env) {
	r.beginSearch(env)
	r.wait()
}

// Step scatters a node's children, or works below the cutoff.
func (r *ScatterRank) Step(env comm.Env, limit int) (expanded int) {
	if r.depth < r.cutoff {
		expanded = r.scatterChildren(env, limit)
	} else {
		expanded = r.expandNodes(env, limit)
	}
	r.wait()
	return expanded
}

// scatterChildren sends away up to limit children of the node that the work consists of,
// after expanding it.
func (r *ScatterRank) scatterChildren(env comm.Env, limit int) (expanded int) {
	for range limit {
		piece, depth, n, ok := r.cutNextChild()
		expanded += n
		r.stats.Expanded += int64(n)
		r.spreadImprovement(env)
		if ok {
			r.scatterPiece(env, piece, depth)
		} else if r.work.Empty() || r.decider != nil && r.decider.Decided() {
			break
		}
	}
	r.settleWork(env)
	return expanded
}

// cutNextChild cuts off a child of the node that the work consists of, and says how deep it is, or
// expands the node. What rank 0 begins with is not the root where the search goes on from
// pieces: then nodes of any depth are left, and those at the cutoff or below are as good as at it.
func (r *ScatterRank) cutNextChild() (piece []byte, depth int32, expanded int, ok bool) {
	if r.depth == 0 {
		for d := r.cutoff; d > 1; d-- {
			if piece, _, ok := r.cutSubtask(r.tasks, int(d), 0); ok {
				return piece, d, 0, true
			}
		}
	}
	piece, expanded, ok = r.cutSubtask(r.tasks, int(r.depth)+1, 1)
	return piece, r.depth + 1, expanded, ok
}

// scatterPiece sends a node to where it falls; one that falls here waits its turn.
func (r *ScatterRank) scatterPiece(env comm.Env, piece []byte, depth int32) {
	to, exponent := r.target(env, depth-1), r.credit.giveAwayHalf()
	if to != env.Rank() {
		r.sendPiece(env, to, depth, exponent, piece)
		return
	}
	r.pending = append(r.pending, comm.Message{From: int32(to), Kind: comm.Grant, Tag: depth, Arg: exponent, Body: piece})
}

// Deliver handles a message.
func (r *ScatterRank) Deliver(env comm.Env, m comm.Message) {
	if r.handleControl(env, m) {
		return
	}
	if m.Kind != comm.Grant {
		r.failUnexpected(m)
		return
	}
	r.takeOrQueueGrant(m)
}

// Wake does nothing: the scheme sets no alarm.
func (r *ScatterRank) Wake(comm.Env) {}
