package comm

import "strconv"

// Kind is the meaning of a message. The numbers are part of the wire format.
type Kind uint8

// The kinds of message, by the protocol that sends them. Arg and Tag are zero
// where nothing is said of them.
const (
	// WorkRequest asks its receiver for a piece of work (Kumar et al., section 4);
	// under SB the scheduler finds one.
	WorkRequest Kind = iota
	// Grant carries a piece in Body and the exponent of the piece's credit in Arg.
	// Tag is 0, or the requester's rank plus one where the scheduler is to pass the
	// piece on (SB as first published). Under KS-BF (package ksbf) Body is tasks, each
	// with the exponent of its own credit, and Arg their number.
	Grant
	// Reject says that there is too little work to share, or none. Arg is 0, or, in
	// answer to a Poll, the requester's rank plus one.
	Reject
	// Poll is the scheduler's inquiry after work for the requester of rank Arg (SB).
	Poll
	// FetchAdd asks for the counter TARGET and adds to it Arg (GRR, GRR-M);
	// Tag is the tree level that it is addressed to.
	FetchAdd
	// FetchAddReply answers a FetchAdd; Arg is the counter's value before the addition.
	FetchAddReply
	// Token is a termination detector's probe; Tag its colour and round, Arg its count.
	Token
	// Credit returns a credit of 2^-Arg to rank 0 (termination by credit recovery).
	Credit
	// Found tells rank 0 that the sender has seen a witness or was told to stop;
	// Arg is one of the Stop reasons of package lb.
	Found
	// Stop ends the run; it spreads down a binomial tree from rank 0. Arg is the reason.
	Stop
	// Beat tells rank 0 how far the sender is; Arg is the number of nodes it has expanded
	// so far, Tag whether it has moved since the last one and is idle, Body what else it
	// says where somebody watches the run.
	Beat
	// Pulse tells every rank in Tag whether some rank has moved since the last Pulse; Arg is
	// 1 + a rank that has not been heard from, or 0.
	Pulse
	// Deal carries in Body the parts of the tree that its receiver and the ranks below
	// it start with, and in Arg the exponent of their credit (static start).
	Deal
	// Status tells the partner of a phase that the sender has come to its end (poll
	// and shuffle); Tag is the phase, Arg what the phase is to tell.
	Status
	// Move carries in Body all the work that its sender has, and in Arg the exponent of
	// its credit; Body is nil where there is none. Tag is the cycle (poll and shuffle).
	// In package objects Body is the objects that move from its sender to its receiver, and
	// Arg their number.
	Move
	// Notify reports to rank 0 that the sender is idle (poll and shuffle).
	Notify
	// Item scatters a rank's number to where it is to be shuffled; Arg is that rank and
	// the destination, Tag the phase (poll and shuffle, exact permutation).
	Item
	// Target tells a rank the one that its work is to move to, in Arg; Tag is the cycle
	// (poll and shuffle, exact permutation).
	Target
	// Bound tells a neighbour in the binomial tree of ranks, in Arg, the value of the best
	// solution known (branch and bound). It carries no work.
	Bound
	// Parcel is a message of an object to an object on another rank (package objects); Arg
	// is the sender's number · 2^32 + the receiver's, Tag the iteration that waits for it.
	Parcel
	// Ready tells rank 0 that the sender has come to the end of stage Tag, with what it has
	// measured in Body (package objects).
	Ready
	// Go begins stage Tag; Body is the rank of every object, where objects are to move
	// (package objects).
	Go

	// Kinds is the number of kinds.
	Kinds
)

var kindNames = [Kinds]string{
	"WorkRequest", "Grant", "Reject", "Poll", "FetchAdd", "FetchAddReply",
	"Token", "Credit", "Found", "Stop", "Beat", "Pulse", "Deal",
	"Status", "Move", "Notify", "Item", "Target", "Bound",
	"Parcel", "Ready", "Go",
}

// String returns the kind's name, or its number if it has none.
func (k Kind) String() string {
	if k < Kinds {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Message is the unit of communication. Control messages leave Body nil and
// never allocate.
type Message struct {
	From, To int32  // ranks; From is filled in by the world that sends it
	Kind     Kind   // what the message means
	Tag      int32  // fixed meaning per Kind: tree level, round, colour
	Arg      int64  // fixed meaning per Kind
	Body     []byte // a piece, or nil; the receiver's once sent
}
