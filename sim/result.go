package sim

import (
	"treesplit/comm"
	"treesplit/lb"
)

// Result holds the counts and times of a run.
type Result struct {
	Reason lb.Reason
	// Time is T_P: the moment at which the last rank knew that the run was over.
	Time comm.Time
	// LastExpansion is the moment at which the last node was expanded. The time from then until
	// Time is the detector's.
	LastExpansion comm.Time
	// Sequential is T_1: nodes expanded · U_calc of a rank alone.
	Sequential comm.Time

	// Stats are the sums over all ranks. Bytes is the number of bytes that the machine counts for
	// the pieces sent (Machine.Work), not the size of their encodings.
	Stats lb.Stats
	// Messages counts the messages sent, by kind; the same numbers were received.
	Messages [comm.Kinds]int64

	// Busy, Overhead and Idle are sums over all ranks. Busy is the time spent on nodes, Overhead
	// the time spent on polls, messages and pauses, Idle the rest until Time.
	Busy, Overhead, Idle comm.Time

	// LinkWait is the time that messages waited for links, the sum over all messages; 0 without
	// contention.
	LinkWait comm.Time

	// Events = Steps + Deliveries + Alarms.
	Events, Steps, Deliveries, Alarms int64

	Ranks []RankResult // with Options.PerRank
}

// RankResult is one rank's part of a Result.
type RankResult struct {
	Stats                lb.Stats
	Messages             int64 // sent to other ranks
	Busy, Overhead, Idle comm.Time
	Done                 comm.Time // when the rank knew that the run was over
}

// Speedup returns T_1/T_P, or 0 if nothing took any time. It is at most P, unless a node takes longer on a
// rank alone than on several ranks at once (Machine.AlonePico).
func (r *Result) Speedup() float64 {
	if r.Time == 0 {
		return 0
	}
	return float64(r.Sequential) / float64(r.Time)
}

// AllMessages returns the number of messages of all kinds.
func (r *Result) AllMessages() (n int64) {
	for _, k := range r.Messages {
		n += k
	}
	return n
}

// gatherResult gathers the counts of the ranks.
func (w *world) gatherResult() Result {
	res := Result{
		LastExpansion: w.lastExpansion,
		Messages:      w.sent,
		Events:        w.steps + w.deliveries + w.alarms,
		Steps:         w.steps, Deliveries: w.deliveries, Alarms: w.alarms,
	}
	if w.links != nil {
		res.LinkWait = w.links.waited
	}
	for i := range w.ranks {
		res.Time = max(res.Time, w.ranks[i].doneAt)
		res.Reason = max(res.Reason, w.ranks[i].balancer.Reason())
	}
	for i := range w.ranks {
		r := &w.ranks[i]
		s := r.balancer.Stats()
		s.Bytes = r.bytes
		one := RankResult{Stats: s, Messages: r.messages, Busy: r.busy, Overhead: r.overhead, Done: r.doneAt}
		one.Idle = res.Time - r.busy - r.overhead
		res.Stats.AddCounts(s)
		res.Busy += one.Busy
		res.Overhead += one.Overhead
		res.Idle += one.Idle
		if w.options.PerRank {
			res.Ranks = append(res.Ranks, one)
		}
	}
	res.Sequential = w.machine.TimeOfNodes(res.Stats.Expanded, 1)
	return res
}
