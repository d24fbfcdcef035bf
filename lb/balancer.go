package lb

import "treesplit/comm"

// State is the state of a rank in the protocol (Kumar et al., figure 1).
type State uint8

const (
	// Busy: the rank has work; the driver must call Step.
	Busy State = iota
	// Seeking: the rank has no work and has not chosen a donor yet.
	Seeking
	// Waiting: the rank has sent a request and not received the answer.
	Waiting
	// Done: the run is over for this rank. It still answers messages.
	Done
)

// String returns the state's name.
func (s State) String() string { return [...]string{"Busy", "Seeking", "Waiting", "Done"}[s&3] }

// Reason is the reason for the end of a run. If several ranks report a reason, the first report that
// reaches rank 0 counts.
type Reason uint8

const (
	// Exhausted: every node has been expanded.
	Exhausted Reason = iota
	// Decided: a rank has found a witness.
	Decided
	// Timeout: the time limit of the run was reached.
	Timeout
	// Interrupted: the user or the batch system requested the end of the run.
	Interrupted
	// Paused: the run will be saved and then resumed.
	Paused
)

// String returns the reason's name.
func (r Reason) String() string {
	return [...]string{"exhausted", "decided", "timeout", "interrupted", "paused", "", "", ""}[r&7]
}

// Stats counts the actions of a rank. The runtime counts messages of all kinds.
type Stats struct {
	Expanded int64 `json:"expanded"` // nodes
	// Redundant is the number of nodes that belong to another rank and were also expanded
	// here: on the way to a part under a static start, to choose its k, or to repeat nodes
	// after a move (search.Settler). W does not include them.
	Redundant int64 `json:"redundant,omitempty"`
	Requests  int64 `json:"requests"` // work requests made, as in table 4 of Kumar et al.
	Grants    int64 `json:"grants"`   // pieces given away
	Rejects   int64 `json:"rejects"`  // requests refused
	Accepted  int64 `json:"accepted"` // pieces accepted
	Bytes     int64 `json:"bytes"`    // of the pieces given away, in bytes
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

// Balancer is one rank of a load-balancing protocol. The driver calls Step only while State is
// Busy. No two calls overlap. After a driver has stopped calling Step and Wake, it must still
// call Deliver until no message is left.
type Balancer interface {
	// Start is the first call. Rank 0 holds the root.
	Start(env comm.Env)
	// Step expands up to limit nodes and returns the number of expanded nodes, including
	// redundant ones. Under a static start it may expand more: it does not stop on the way to
	// a part, nor while it chooses k.
	Step(env comm.Env, limit int) (expanded int)
	// Deliver handles a message that has arrived for this rank.
	Deliver(env comm.Env, m comm.Message)
	// Wake is called after the moment of an Alarm.
	Wake(env comm.Env)
	// Halt requests the end of the run before the search is over.
	Halt(env comm.Env, why Reason)

	// State returns the state of the rank.
	State() State
	// Reason returns the reason for the end of the run. It is valid if State is Done.
	Reason() Reason
	// Stats returns the counts so far.
	Stats() Stats
	// Audit returns the rank's part of the conservation audit.
	Audit() Audit
	// Err returns an error for the first invalid piece or message, or nil. The run cannot
	// continue after an error.
	Err() error
	// Dump describes the rank in one line, for a user who wants to know why a run does not
	// end.
	Dump() string
}
