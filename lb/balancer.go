package lb

import "treesplit/comm"

// State is where a rank stands in the protocol (Kumar et al., figure 1).
type State uint8

const (
	// Busy: the rank has work; Step is to be called.
	Busy State = iota
	// Seeking: the rank has no work and no donor to ask yet.
	Seeking
	// Waiting: the rank has asked and not been answered.
	Waiting
	// Done: the rank knows that the run is over. It still answers messages.
	Done
)

// String names the state.
func (s State) String() string { return [...]string{"Busy", "Seeking", "Waiting", "Done"}[s&3] }

// Reason is why a run is over. The largest reason given wins where several are.
type Reason uint8

const (
	// Exhausted: every node has been expanded.
	Exhausted Reason = iota
	// Decided: a rank has found a witness.
	Decided
	// Timeout: the run's time was up.
	Timeout
	// Interrupted: a person or the batch system asked the run to end.
	Interrupted
	// Paused: the run is to be saved and to go on after that.
	Paused
)

// String names the reason.
func (r Reason) String() string {
	return [...]string{"exhausted", "decided", "timeout", "interrupted", "paused", "", "", ""}[r&7]
}

// Stats counts what a rank has done. Messages of all kinds are counted by the
// world, which sees them.
type Stats struct {
	Expanded int64 `json:"expanded"` // nodes
	// Redundant are nodes that belong to another rank and were expanded here as well,
	// on the way to a part under a static start or to choose its k. W is without them.
	Redundant int64 `json:"redundant,omitempty"`
	Requests  int64 `json:"requests"` // work requests made, as in table 4 of Kumar et al.
	Grants    int64 `json:"grants"`   // pieces given away
	Rejects   int64 `json:"rejects"`  // requests refused
	Accepted  int64 `json:"accepted"` // pieces taken in
	Bytes     int64 `json:"bytes"`    // of the pieces given away
}

// AddCounts adds the counts of another rank or run.
func (s *Stats) AddCounts(t Stats) {
	s.Expanded += t.Expanded
	s.Redundant += t.Redundant
	s.Requests += t.Requests
	s.Grants += t.Grants
	s.Rejects += t.Rejects
	s.Accepted += t.Accepted
	s.Bytes += t.Bytes
}

// Balancer is one rank of a load-balancing protocol. The driver calls Step only
// while State is Busy; no two calls overlap. A driver that has stopped calling
// Step and Wake must go on calling Deliver until no message is left.
type Balancer interface {
	// Start is the first call; rank 0 holds the root.
	Start(env comm.Env)
	// Step expands up to limit nodes and returns how many it did, redundant ones among
	// them. A rank with a static start may do more: it does not stop on the way to a
	// part, nor while it chooses k.
	Step(env comm.Env, limit int) (expanded int)
	// Deliver handles a message that has arrived for this rank.
	Deliver(env comm.Env, m comm.Message)
	// Wake follows an Alarm.
	Wake(env comm.Env)
	// Halt asks for the end of the run before the search is over.
	Halt(env comm.Env, why Reason)

	// State says where the rank stands.
	State() State
	// Reason says why the run is over, once State is Done.
	Reason() Reason
	// Stats returns the counts so far.
	Stats() Stats
	// Audit is the rank's part of the conservation audit.
	Audit() Audit
	// Err is the first piece or message that made no sense, or nil. The run cannot
	// go on after it.
	Err() error
	// Dump describes the rank in one line for a person who wonders why a run does
	// not end.
	Dump() string
}
