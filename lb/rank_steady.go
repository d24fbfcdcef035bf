package lb

import "treesplit/comm"

// Steady is a Balancer that knows for how long Step only expands nodes. A simulation uses it to
// expand many quanta in one event, and a paced rank to wait once for many quanta.
type Steady interface {
	Balancer
	// SteadyNodes returns a number of nodes, 0 or more, and a moment. Until the next Deliver, Wake
	// or Halt, calls of Step that end before that moment and expand at most this number of nodes
	// in total send no message, set no alarm and leave the rank Busy. 0 nodes mean that this is unknown.
	// If joined is set, the work after these nodes does not depend on their division into calls of Step, and
	// SteadyNodes takes O(1) time; otherwise it takes O(levels) time at most.
	SteadyNodes(joined bool) (nodes int64, until comm.Time)
}

// steadyNodes returns a number of nodes that the rank's work can lose without becoming empty; see Steady. It
// is 0 if the work does not know a number, if it consists of dealt parts, if one of its nodes can end the
// search, or if other ranks must learn of a better bound or of clauses.
func (r *rank) steadyNodes(joined bool) (nodes int64) {
	if r.state != Busy || r.dealer != nil || r.decider != nil || len(r.best.shares) > 0 || len(r.lessons.shares) > 0 {
		return 0
	}
	if r.counted != nil {
		nodes = r.counted.NodesLeft()
	}
	if nodes == 0 && !joined && r.sizer != nil && len(r.fallible) == 0 && len(r.redundant) == 0 {
		nodes = int64(r.sizer.Open()) // each of them is expanded
	}
	return max(nodes-1, 0)
}

// SteadyNodes implements Steady: a requester acts only when its work is empty.
func (r *Receiver) SteadyNodes(joined bool) (int64, comm.Time) {
	return r.steadyNodes(joined), comm.Never
}

// SteadyNodes implements Steady. The scheduler polls for waiting requesters in every Step.
func (r *ScheduledRank) SteadyNodes(joined bool) (int64, comm.Time) {
	if len(r.sched.asking) > 0 {
		return 0, comm.Never
	}
	return r.steadyNodes(joined), comm.Never
}

// SteadyNodes implements Steady. A generator with requesters cuts subtasks off in every Step.
func (r *GeneratorRank) SteadyNodes(joined bool) (int64, comm.Time) {
	for _, g := range r.generators {
		if len(g.queue) > 0 {
			return 0, comm.Never
		}
	}
	return r.steadyNodes(joined), comm.Never
}

// SteadyNodes implements Steady. A rank acts at the end of its phase, and when the report of its partner
// arrives.
func (r *ShuffleRank) SteadyNodes(joined bool) (int64, comm.Time) {
	switch {
	case r.stage == reported:
		return r.steadyNodes(joined), comm.Never
	case r.stage != working || r.currentPhases()[r.place].kind != polling:
		return 0, comm.Never
	case r.length.nodes > 0:
		return min(r.steadyNodes(joined), int64(r.length.nodes-r.length.done)-1), comm.Never
	}
	return r.steadyNodes(joined), r.length.until
}
