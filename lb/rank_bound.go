package lb

import (
	"treesplit/comm"
	"treesplit/search"
	"treesplit/topology"
)

// incumbent is a rank's part in sharing the value of the best solution, where the work is
// a search.Optimiser. Whoever finds a better one tells its neighbours in the binomial
// tree of ranks, and who hears of one that is better than all it knows tells its
// other neighbours: P−1 messages for a value that spreads to all, fewer for one that is
// overtaken on the way, and none by way of rank 0 unless it lies there.
//
// A Bound carries no work. So detectors are not told of it, and ranks that are idle,
// halting or done pass it on like any other: when no message is left, all ranks know the
// best value, and the rank that has its solution knows that it has.
type incumbent struct {
	shares []search.Optimiser // all of the rank's: its work, its generators'
	value  int64              // the least that the rank has told or been told
}

// trackOptimiser takes a share of the rank's into account; one that is no Optimiser has no
// bound.
func (r *rank) trackOptimiser(w search.Work) {
	o, ok := search.As[search.Optimiser](w)
	if !ok {
		return
	}
	if len(r.best.shares) == 0 {
		r.best.value = o.Bound() // all ranks begin with the same
	}
	r.best.shares = append(r.best.shares, o)
}

// Bound is the least value of a solution that the rank knows of, where the work is a
// search.Optimiser. When no message is left it is the same on all ranks.
func (r *rank) Bound() int64 { return r.best.value }

// spreadImprovement tells the other ranks if a share has found a better solution. It follows
// everything that may expand a node.
func (r *rank) spreadImprovement(env comm.Env) {
	value := r.best.value
	for _, o := range r.best.shares {
		value = min(value, o.Bound())
	}
	if value < r.best.value {
		r.spreadBound(env, value, env.Rank())
	}
}

// takeBound hears of a solution that another rank knows.
func (r *rank) takeBound(env comm.Env, m comm.Message) {
	if len(r.best.shares) == 0 {
		r.failUnexpected(m)
		return
	}
	if m.Arg < r.best.value {
		r.spreadBound(env, m.Arg, int(m.From))
	}
}

// spreadBound tells a value that is new to the rank's own shares, and to its neighbours
// except for the one it came from.
func (r *rank) spreadBound(env comm.Env, value int64, from int) {
	r.best.value = value
	for _, o := range r.best.shares {
		o.Tighten(value)
	}
	tree := topology.Binomial{P: env.Size()}
	var room [65]int
	near := tree.Children(env.Rank(), room[:0])
	if env.Rank() != 0 {
		near = append(near, tree.Parent(env.Rank()))
	}
	for _, to := range near {
		if to != from {
			env.Send(comm.Message{To: int32(to), Kind: comm.Bound, Arg: value})
		}
	}
}
