package comm

import "strconv"

// Kind is the meaning of a message. Its number travels on the wire.
type Kind uint8

// The kinds of message, grouped by the protocol that sends them. Arg and Tag are zero unless
// their meaning is given here.
const (
	// WorkRequest asks the receiver for a piece of work (Kumar et al., section 4). Under SB
	// the receiver is the scheduler, which looks for a donor.
	WorkRequest Kind = iota
	// Grant carries a piece in Body and the exponent of the piece's credit in Arg. Tag is 0,
	// or 1 + the rank of the requester if the scheduler must forward the piece (SB as first
	// published). Under KS-BF (package ksbf) Body holds tasks, each with the exponent of its
	// own credit, and Arg is their number.
	Grant
	// Reject answers a WorkRequest or a Poll of a rank that has too little work to share, or
	// none. Arg is 0 in answer to a WorkRequest, and 1 + the requester's rank in answer to a
	// Poll.
	Reject
	// Poll is the scheduler's request for work for the rank Arg (SB).
	Poll
	// FetchAdd requests the counter TARGET and adds Arg to it (GRR, GRR-M). Tag is the level
	// of the tree to which the message is addressed.
	FetchAdd
	// FetchAddReply answers a FetchAdd. Arg is the counter's value before the addition.
	FetchAddReply
	// Token is the probe of a termination detector. Tag is its colour and round, Arg its
	// count.
	Token
	// Credit returns a credit of 2^-Arg to rank 0 (termination by credit recovery).
	Credit
	// Found reports to rank 0 that the sender has found a witness or was asked to stop. Arg is
	// one of the Stop reasons of package lb.
	Found
	// Stop ends the run. It spreads down a binomial tree from rank 0. Arg is the reason.
	Stop
	// Beat reports the sender's progress to rank 0. Arg is the number of nodes that it has
	// expanded. Tag encodes whether it has moved since its last Beat and whether it is idle.
	// Body holds further counts if the run is being watched.
	Beat
	// Pulse reports to every rank, in Tag, whether some rank has moved since the last Pulse.
	// Arg is 0, or 1 + the number of a rank that has sent no Beat.
	Pulse
	// Deal carries in Body the initial parts of the tree for the receiver and the ranks below
	// it, and in Arg the exponent of their credit (static start).
	Deal
	// Status reports to the partner of a phase that the sender has reached the end of the
	// phase (poll and shuffle). Tag is the phase, Arg the value that the phase collects.
	Status
	// Move carries in Body all work of the sender, and in Arg the exponent of its credit. Body
	// is nil if the sender has no work. Tag is the cycle (poll and shuffle). In package
	// objects Body holds the objects that move from the sender to the receiver, and Arg is
	// their number.
	Move
	// Notify reports to rank 0 that the sender is idle (poll and shuffle).
	Notify
	// Item carries the number of a rank to the rank that shuffles it. Arg is that number and
	// the destination, Tag the phase (poll and shuffle, exact permutation).
	Item
	// Target informs a rank of the rank to which its work will move, in Arg. Tag is the cycle
	// (poll and shuffle, exact permutation).
	Target
	// Bound carries in Arg the value of the best known solution to a neighbour in the binomial
	// tree of ranks (branch and bound). It carries no work.
	Bound
	// Lessons carries in Body facts that the shares of a rank have learnt, along the binomial tree
	// of ranks. It carries no work.
	Lessons
	// Parcel is a message from an object to an object on another rank (package objects). Arg
	// is the sender's number · 2^32 + the receiver's number, Tag the iteration that waits for
	// it.
	Parcel
	// Ready reports to rank 0 that the sender has reached the end of stage Tag. Body holds the
	// sender's measurements (package objects).
	Ready
	// Go begins stage Tag. Body holds the rank of every object if objects will move (package
	// objects).
	Go

	// Sample carries in Body the sizes of sampled parts of the tree, up the binomial tree of ranks. Without a
	// Body it goes down this tree, and Arg is the number of nodes that a rank expands for another sample (static
	// start). It carries no work.
	Sample

	// Kinds is the number of kinds.
	Kinds
)

var kindNames = [Kinds]string{
	"WorkRequest", "Grant", "Reject", "Poll", "FetchAdd", "FetchAddReply",
	"Token", "Credit", "Found", "Stop", "Beat", "Pulse", "Deal",
	"Status", "Move", "Notify", "Item", "Target", "Bound",
	"Lessons", "Parcel", "Ready", "Go", "Sample",
}

// String returns the kind's name, or "Kind(n)" if k is no kind of message.
func (k Kind) String() string {
	if k < Kinds {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// CarriesPiece reports whether the Body of a message of this kind holds a part of the search, or objects that move.
// Bodies of other kinds hold information.
func (k Kind) CarriesPiece() bool { return k == Grant || k == Deal || k == Move }

// IsHeartbeat reports whether a message of this kind carries progress and belongs to no protocol of a search. On
// emulated processors and networks heartbeats take no time.
func (k Kind) IsHeartbeat() bool { return k == Beat || k == Pulse }

// Message is the unit of communication. Control messages leave Body nil and never allocate.
type Message struct {
	From, To int32  // ranks; the runtime that sends the message fills in From
	Kind     Kind   // the meaning of the message
	Tag      int32  // meaning fixed by Kind: tree level, round, colour
	Arg      int64  // meaning fixed by Kind
	Body     []byte // a piece or what Kind fixes, or nil; owned by the receiver once sent
}

// HasPiece reports whether the message brings a part of the search, or objects that move, to its receiver.
func (m Message) HasPiece() bool { return m.Body != nil && m.Kind.CarriesPiece() }
