package sim

import (
	"treesplit/comm"
	"treesplit/lb"
)

// Options are the options of a simulation. The zero value is a run without faults, checks and
// observers.
type Options struct {
	Faults Faults

	// Nodes is W if it is known. Then it is an error if a run ends as exhausted before W nodes are
	// expanded, or expands more than W nodes.
	Nodes int64
	// LeftIn returns the number of nodes that a piece holds; nil: the number is unknown. The Sqrt
	// rule needs it.
	LeftIn func(piece []byte) int64
	// Left returns the number of nodes that a rank holds in its share or shares and anywhere else
	// in its Balancer. If Nodes, LeftIn and Left are set, the run checks after every event that no
	// node was lost or added.
	Left func(rank int) int64

	// MaxEvents ends a run with an error after this number of events; 0: no limit.
	MaxEvents int64
	// Halt reports whether the run must end early, and why. It is called every few thousand events.
	// nil: never.
	Halt func() (why lb.Reason, halt bool)
	// Watch is called every few thousand events with the virtual time; or nil.
	Watch func(now comm.Time)
	// Look is called when the virtual time has reached the time that the last call returned; at
	// first it is called at the first event. It may block to slow the simulation down. Halt is
	// called after it. nil: no calls.
	Look func(now comm.Time) (next comm.Time)
	// PauseAt is the moment at which the run is halted to be saved; 0: never.
	PauseAt comm.Time
	// Trace is called for every event, in the order of simulation. It must not keep the message's
	// Body. nil: no calls.
	Trace func(Entry)
	// EveryPoll makes every poll an event of its own, as Trace, Left and some other options do. The
	// run is the same and takes longer; see coast.go.
	EveryPoll bool
	// PerRank requests Result.Ranks.
	PerRank bool
}

// Entry is a line of a run's transcript.
type Entry struct {
	At comm.Time // the rank's clock after the event
	// Busy and Overhead are the times that the rank has spent so far on nodes and on everything
	// else. For the rest of the time until At it had nothing to do.
	Busy, Overhead comm.Time
	Rank           int
	What           What
	Nodes          int          // Stepped: nodes expanded
	Message        comm.Message // Sent, Received
	Bytes          int64        // Sent: size of the body, as the machine counts it
}

// What is the kind of an entry.
type What uint8

const (
	// Stepped: a Busy rank has expanded nodes.
	Stepped What = iota
	// Sent: a message has left the rank.
	Sent
	// Received: a message was handled.
	Received
	// Rang: an alarm rang.
	Rang
	// Ended: the rank knows that the run is over.
	Ended
)

// String returns the name of the kind.
func (w What) String() string {
	return [...]string{"stepped", "sent", "received", "rang", "ended", "", "", ""}[w&7]
}
