package lb

import "treesplit/comm"

// AsynchronousRoundRobin (ARR, Kumar et al., section 4.1) gives every rank its own counter. A
// rank asks the other ranks in turn, beginning with its successor. The counters are not
// coordinated, so several ranks can ask the same donor at the same time.
//
// With equal targets all ranks begin with rank 0 instead. This is nearly the worst case of section
// 5.2: ranks that become idle at the same time ask the same donor, again and again.
type AsynchronousRoundRobin struct {
	local
	target int // the rank to ask next; -1: this rank's successor
}

// NewAsynchronousRoundRobin returns the selector of a rank that begins with its successor, or with
// rank 0 if targets are equal.
func NewAsynchronousRoundRobin(equalTargets bool) *AsynchronousRoundRobin {
	if equalTargets {
		return &AsynchronousRoundRobin{target: 0}
	}
	return &AsynchronousRoundRobin{target: -1}
}

// Next returns the target and advances it. It skips this rank.
func (s *AsynchronousRoundRobin) Next(env comm.Env) (donor int, ok bool) {
	if s.target < 0 || s.target == env.Rank() {
		s.target = env.Rank() + 1
	}
	donor = s.target % env.Size()
	s.target = (donor + 1) % env.Size()
	return donor, true
}
