package lb

import (
	"treesplit/comm"
	"treesplit/search"
)

// ScatterRank is a rank under randomized allocation (RA, Shu and Kalé 1989; Kumar et al.,
// section 6.3). Every node above the granularity cutoff is expanded on the rank where it is,
// and each of its children is sent to a random rank without a request. The subtree of a node
// at the cutoff is searched on the rank that receives the node. Idle ranks do nothing.
//
// Ranade's variant (1991) embeds the tree in a butterfly. A child goes to one of the two
// successors of its parent's place, each with probability 1/2. The butterfly is embedded in
// the hypercube, so that a message crosses at most one link: at level d the successors of rank
// r are r itself and r with bit d mod ⌈log2 P⌉ flipped.
type ScatterRank struct {
	rank
	tasks  search.Subtasker // the capability of work
	cutoff int32
	target func(env comm.Env, depth int32) int
}

// NewScatterRank returns a rank under RA, or under Ranade's variant, depending on target. It
// panics if Options.Work is no search.Subtasker.
func NewScatterRank(o Options, target func(env comm.Env, depth int32) int) *ScatterRank {
	return &ScatterRank{rank: newRank(o), tasks: asSubtasker(o.Work), cutoff: int32(o.Cutoff), target: target}
}

// drawAnyRank returns a random rank, drawn uniformly from all.
func drawAnyRank(env comm.Env, _ int32) int { return env.Rand().IntN(env.Size()) }

// drawSuccessor returns one of the two successors in the butterfly at random.
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

// Start begins the search.
func (r *ScatterRank) Start(env comm.Env) {
	r.beginSearch(env)
	r.wait()
}

// Step scatters the children of a node above the cutoff, or expands nodes below it.
func (r *ScatterRank) Step(env comm.Env, limit int) (expanded int) {
	if r.depth < r.cutoff {
		expanded = r.scatterChildren(env, limit)
	} else {
		expanded = r.expandNodes(env, limit)
	}
	r.wait()
	return expanded
}

// scatterChildren expands the node that the work consists of, and sends away up to limit of
// its children.
func (r *ScatterRank) scatterChildren(env comm.Env, limit int) (expanded int) {
	for range limit {
		piece, depth, n, ok := r.cutNextChild()
		expanded += n
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

// cutNextChild cuts off a child of the node that the work consists of and returns its depth,
// or expands the node. If the search resumes from pieces, the work of rank 0 is not the root
// but nodes of any depth. Nodes at the cutoff or deeper are then treated as nodes at the
// cutoff.
func (r *ScatterRank) cutNextChild() (piece []byte, depth int32, expanded int, ok bool) {
	if r.depth == 0 {
		for d := r.cutoff; d > 1; d-- {
			if piece, _, ok := r.cutSubtask(r.work, r.tasks, int(d), 0); ok {
				return piece, d, 0, true
			}
		}
	}
	piece, expanded, ok = r.cutSubtask(r.work, r.tasks, int(r.depth)+1, 1)
	return piece, r.depth + 1, expanded, ok
}

// scatterPiece sends a node to its random rank. If that is this rank, the node waits in
// pending.
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
