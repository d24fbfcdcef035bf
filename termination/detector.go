package termination

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/topology"
)

// Detector is one rank of a termination detection protocol. Rank 0 is the one
// that decides; it holds the root of the search at the start.
type Detector interface {
	// Sent notes that this rank has sent a Grant.
	Sent()
	// Received notes that a Grant has arrived here.
	Received()
	// Recover notes that a piece of credit 2^−e is finished on this rank.
	Recover(env comm.Env, e int64)
	// Idle notes that this rank has no work and is about to ask for some. It is
	// called once each time the rank runs idle, at the start too.
	Idle(env comm.Env)
	// Receive handles a Token or Credit message; idle says whether the rank is idle.
	Receive(env comm.Env, m comm.Message, idle bool)
	// Done reports whether the search is over. It is never true but on rank 0.
	Done() bool
	// String is the detector's state in a few words, for a person who wonders why a
	// run does not end.
	String() string
}

// detectors is the registry: names as on the command line.
var detectors = []struct {
	name string
	make func(rank, size int) Detector
}{
	{"ring", func(_, _ int) Detector { return &Ring{} }},
	{"tree", func(rank, size int) Detector { return NewTree(rank, size) }},
	{"mesh", func(rank, size int) Detector { return NewMesh(rank, size) }},
	{"credit", func(_, _ int) Detector { return &Credit{} }},
}

// DetectorNames lists the detectors that New knows.
func DetectorNames() []string {
	var names []string
	for _, d := range detectors {
		names = append(names, d.name)
	}
	return names
}

// New returns the part that the given rank of size plays in the detector of that
// name.
func New(name string, rank, size int) (Detector, error) {
	for _, d := range detectors {
		if d.name == name {
			return d.make(rank, size), nil
		}
	}
	return nil, fmt.Errorf("unknown termination detector %q: expected one of %s", name, strings.Join(DetectorNames(), ", "))
}

// visit is what a wave learns from a rank it passes: the sum of the grants sent
// minus those received, and whether any of the ranks was black.
type visit struct {
	count int64
	black bool
}

// joinVisit joins what two parts of a wave have learnt.
func (v visit) joinVisit(w visit) visit { return visit{v.count + w.count, v.black || w.black} }

// isClearRound reports whether a whole round has found the search to be over.
func (v visit) isClearRound() bool { return v.count == 0 && !v.black }

// Tags of a Token: the colour of a wave on its way to rank 0, or again, which
// starts the next round of a Tree or Mesh on its way from rank 0.
const (
	white int32 = iota
	black
	again
)

// sendToken carries the visit to a rank in a Token.
func (v visit) sendToken(env comm.Env, to int) {
	m := comm.Message{To: int32(to), Kind: comm.Token, Tag: white, Arg: v.count}
	if v.black {
		m.Tag = black
	}
	env.Send(m)
}

// visitFromToken reads a Token that sendToken wrote.
func visitFromToken(m comm.Message) visit { return visit{m.Arg, m.Tag == black} }

// ledger is a rank's own part of a wave.
type ledger struct{ visit }

// Sent counts a grant on its way.
func (l *ledger) Sent() { l.count++ }

// Received counts a grant's arrival and blackens the rank.
func (l *ledger) Received() { l.count--; l.black = true }

// Recover is of no interest to a wave.
func (l *ledger) Recover(comm.Env, int64) {}

// takeVisit returns the rank's visit and whitens it: what it receives from now on is
// the next round's to notice.
func (l *ledger) takeVisit() visit {
	v := l.visit
	l.black = false
	return v
}

// spanning is a tree's edges at one rank.
type spanning struct {
	parent   int
	children []int
}

func spanningAt(t topology.Tree, rank int) spanning {
	return spanning{t.Parent(rank), slices.Clip(t.Children(rank, nil))}
}
