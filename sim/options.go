package sim

import (
	"treesplit/comm"
	"treesplit/lb"
)

// Options are the options of a simulation. The zero value is a
// run without faults, checks and onlookers.
type Options struct {
	Faults Faults

	// Nodes is W where it is known. Then a run that ends as exhausted before W nodes
	// are expanded, or expands more, is an error.
	Nodes int64
	// LeftIn is the number of nodes that a piece holds; nil: nobody knows. The Sqrt
	// rule needs it.
	LeftIn func(piece []byte) int64
	// Left is the number of nodes that a rank's share, or shares, and whatever else
	// its Balancer keeps, hold. With Nodes, LeftIn and Left set the run checks after
	// every event that no node was lost or made up.
	Left func(rank int) int64

	// MaxEvents ends a run after this number of events with an error; 0: no limit.
	MaxEvents int64
	// Halt is asked every few thousand events whether the run is to end early, and
	// why. nil: never.
	Halt func() (why lb.Reason, halt bool)
	// Watch is called every few thousand events with the virtual time; or nil.
	Watch func(now comm.Time)
	// PauseAt is the moment at which the run is halted to be saved; 0: never.
	PauseAt comm.Time
	// Trace is told of everything that happens, in the order in which it is
	// simulated. It must not keep the message's Body. nil: nobody is.
	Trace func(Entry)
	// PerRank asks for Result.Ranks.
	PerRank bool
}

// Entry is a line of a run's transcript.
type Entry struct {
	At comm.Time // the rank's clock, after what happened
	// Busy and Overhead are the time that the rank has spent on nodes so far, and on all
	// else; the rest until At it has had nothing to do.
	Busy, Overhead comm.Time
	Rank           int
	What           What
	Nodes          int          // Stepped: nodes expanded
	Message        comm.Message // Sent, Received
	Bytes          int64        // Sent: of the body, as the machine counts them
}

// What is what happened.
type What uint8

const (
	// Stepped: a Busy rank has expanded nodes.
	Stepped What = iota
	// Sent: a message has left the rank.
	Sent
	// Received: a message was handled.
	Received
	// Rang: an alarm was heard.
	Rang
	// Ended: the rank knows that the run is over.
	Ended
)

// String names what happened.
func (w What) String() string {
	return [...]string{"stepped", "sent", "received", "rang", "ended", "", "", ""}[w&7]
}
