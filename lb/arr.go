package lb

import "treesplit/comm"

// AsynchronousRoundRobin (ARR, Kumar et al., section 4.1) gives every rank a
// counter of its own: it asks the ranks in turn, beginning with its successor.
// Nobody coordinates the counters, so many ranks can come to ask the same one.
type AsynchronousRoundRobin struct {
	local
	asked int // how far past its own number the rank asked last
}

// Next returns the rank after the one asked last, leaving out the own one.
func (s *AsynchronousRoundRobin) Next(env comm.Env) (donor int, ok bool) {
	s.asked = s.asked%(env.Size()-1) + 1
	return (env.Rank() + s.asked) % env.Size(), true
}
