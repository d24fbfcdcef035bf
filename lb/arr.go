package lb

import "treesplit/comm"

// AsynchronousRoundRobin (ARR, Kumar et al., section 4.1) gives every rank its own counter. A
// rank asks the other ranks in turn, beginning with its successor. The counters are not
// coordinated, so several ranks can ask the same donor at the same time.
type AsynchronousRoundRobin struct {
	local
	asked int // distance from this rank to the last one asked
}

// Next returns the rank after the last one asked, and skips this rank.
func (s *AsynchronousRoundRobin) Next(env comm.Env) (donor int, ok bool) {
	s.asked = s.asked%(env.Size()-1) + 1
	return (env.Rank() + s.asked) % env.Size(), true
}
