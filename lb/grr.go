package lb

import "treesplit/comm"

// GlobalRoundRobin (GRR, Kumar et al., section 4.3) keeps one counter TARGET at rank 0. Every
// requester fetches the counter and adds one, so that successive requests go to successive
// ranks. The number of requests is as small as possible, at the price of contention at rank 0.
// A requester that gets its own number fetches again.
type GlobalRoundRobin struct {
	target int64 // TARGET, on rank 0
}

// Next fetches the counter: directly on rank 0, by a message on other ranks.
func (s *GlobalRoundRobin) Next(env comm.Env) (donor int, ok bool) {
	if env.Rank() != 0 {
		env.Send(comm.Message{To: 0, Kind: comm.FetchAdd, Arg: 1})
		return 0, false
	}
	return donorOfTarget(env, s.fetchAndAdd(1)), true
}

// Receive answers a fetch on rank 0 and reads the answer on other ranks.
func (s *GlobalRoundRobin) Receive(env comm.Env, m comm.Message) (donor int, ok bool) {
	if m.Kind == comm.FetchAdd {
		env.Send(comm.Message{To: m.From, Kind: comm.FetchAddReply, Arg: s.fetchAndAdd(m.Arg)})
		return 0, false
	}
	return donorOfTarget(env, m.Arg), true
}

// Wake does nothing: this Selector sets no alarm.
func (s *GlobalRoundRobin) Wake(comm.Env) (int, bool) { return 0, false }

func (s *GlobalRoundRobin) fetchAndAdd(n int64) (before int64) {
	before = s.target
	s.target += n
	return before
}

// donorOfTarget returns the rank that a value of TARGET selects.
func donorOfTarget(env comm.Env, target int64) int {
	return int(uint64(target) % uint64(env.Size()))
}
