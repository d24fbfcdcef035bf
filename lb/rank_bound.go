package lb

import (
	"treesplit/comm"
	"treesplit/search"
	"treesplit/topology"
)

// incumbent is a rank's part in distributing the value of the best solution, if the work is a
// search.Optimiser. A rank that finds a better solution sends its value to its neighbours in
// the binomial tree of ranks. A rank that receives a value better than all values it knows
// sends it to its other neighbours. A value that reaches all ranks costs P−1 messages; a value
// that is overtaken on the way costs fewer. Messages pass through rank 0 only if rank 0 is on
// the path.
//
// A Bound carries no work. So detectors are not informed of it, and ranks that are idle,
// halting or done forward it like any other rank. When no message is in flight, all ranks know
// the best value, and the rank that holds its solution knows that it does.
type incumbent struct {
	shares []search.Optimiser // all shares of the rank: its work, its generators' work
	value  int64              // the least value that the rank has sent or received
}

// trackOptimiser adds a share to the shares that receive values, if it is a search.Optimiser.
func (r *rank) trackOptimiser(w search.Work) {
	o, ok := search.As[search.Optimiser](w)
	if !ok {
		return
	}
	if len(r.best.shares) == 0 {
		r.best.value = o.Bound() // the same on all ranks
	}
	r.best.shares = append(r.best.shares, o)
}

// Bound returns the least value of a solution that the rank knows of, if the work is a
// search.Optimiser. When no message is in flight it is the same on all ranks.
func (r *rank) Bound() int64 { return r.best.value }

// spreadImprovement informs the other ranks if a share has found a better solution. It is
// called after every operation that may expand a node.
func (r *rank) spreadImprovement(env comm.Env) {
	value := r.best.value
	for _, o := range r.best.shares {
		value = min(value, o.Bound())
	}
	if value < r.best.value {
		r.spreadBound(env, value, env.Rank())
	}
}

// takeBound handles the value of a solution of another rank.
func (r *rank) takeBound(env comm.Env, m comm.Message) {
	if len(r.best.shares) == 0 {
		r.failUnexpected(m)
		return
	}
	if m.Arg < r.best.value {
		r.spreadBound(env, m.Arg, int(m.From))
	}
}

// spreadBound passes a new value to the rank's own shares, and to all its neighbours except
// the rank from.
func (r *rank) spreadBound(env comm.Env, value int64, from int) {
	r.best.value = value
	for _, o := range r.best.shares {
		o.Tighten(value)
	}
	var room [65]int
	for _, to := range neighboursInTree(env, room[:0]) {
		if to != from {
			env.Send(comm.Message{To: int32(to), Kind: comm.Bound, Arg: value})
		}
	}
}

// neighboursInTree appends the neighbours of a rank in the binomial tree of ranks.
func neighboursInTree(env comm.Env, dst []int) []int {
	tree := topology.Binomial{P: env.Size()}
	dst = tree.Children(env.Rank(), dst)
	if env.Rank() != 0 {
		dst = append(dst, tree.Parent(env.Rank()))
	}
	return dst
}
