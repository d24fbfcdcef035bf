package termination

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/topology"
)

// Detector is one rank of a termination detection protocol. Rank 0 decides. It also holds the
// root of the search at the start.
type Detector interface {
	// Sent records that this rank has sent a Grant.
	Sent()
	// Received records that this rank has received a Grant.
	Received()
	// Recover records that this rank has finished a piece of credit 2^−e.
	Recover(env comm.Env, e int64)
	// Idle records that this rank has no work and will now request some. It is called once
	// each time the rank becomes idle, also at the start.
	Idle(env comm.Env)
	// Receive handles a Token or Credit message. idle reports whether the rank is idle.
	Receive(env comm.Env, m comm.Message, idle bool)
	// Done reports whether the search is over. It returns true only on rank 0.
	Done() bool
	// String returns the detector's state in a few words, for a user who wants to know why a
	// run does not end.
	String() string
}

// detectors is the registry: names as on the command line, and one line of help.
var detectors = []struct {
	name, help string
	make       func(rank, size int) Detector
}{
	{"ring", "a token visits all ranks in turn: P messages and P steps per round", func(_, _ int) Detector { return &Ring{} }},
	{"tree", "a wave over a binomial tree of ranks: 2(P−1) messages and 2 log P steps per round", func(rank, size int) Detector { return NewTree(rank, size) }},
	{"mesh", "a wave over a mesh of ranks: 2(P−1) messages and about 4√P steps per round", func(rank, size int) Detector { return NewMesh(rank, size) }},
	{"credit", "every piece carries a credit, which returns to rank 0 at its end: one message per piece", func(_, _ int) Detector { return &Credit{} }},
}

// DetectorNames returns the names that New accepts.
func DetectorNames() []string {
	var names []string
	for _, d := range detectors {
		names = append(names, d.name)
	}
	return names
}

// DescribeDetector returns one line of help on the detector with the given name, or "" for an
// unknown name.
func DescribeDetector(name string) string {
	for _, d := range detectors {
		if d.name == name {
			return d.help
		}
	}
	return ""
}

// New returns the detector with the given name for the given rank of size ranks. Its error
// lists the known names.
func New(name string, rank, size int) (Detector, error) {
	for _, d := range detectors {
		if d.name == name {
			return d.make(rank, size), nil
		}
	}
	return nil, fmt.Errorf("unknown termination detector %q: expected one of %s", name, strings.Join(DetectorNames(), ", "))
}

// visit is the result of a wave at one or more ranks: the number of grants sent minus the
// number of grants received, and whether any of the ranks was black.
type visit struct {
	count int64
	black bool
}

// joinVisit combines the results of two parts of a wave.
func (v visit) joinVisit(w visit) visit { return visit{v.count + w.count, v.black || w.black} }

// isClearRound reports whether a complete round with this result shows that the search is
// over.
func (v visit) isClearRound() bool { return v.count == 0 && !v.black }

// Tags of a Token: white and black are the colour of a wave on its way to rank 0. again starts
// the next round of a Tree or Mesh, on its way from rank 0.
const (
	white int32 = iota
	black
	again
)

// sendToken sends the result to a rank in a Token.
func (v visit) sendToken(env comm.Env, to int) {
	m := comm.Message{To: int32(to), Kind: comm.Token, Tag: white, Arg: v.count}
	if v.black {
		m.Tag = black
	}
	env.Send(m)
}

// visitFromToken reads a Token that sendToken has sent.
func visitFromToken(m comm.Message) visit { return visit{m.Arg, m.Tag == black} }

// ledger holds a rank's own contribution to a wave.
type ledger struct{ visit }

// Sent counts a grant that is sent.
func (l *ledger) Sent() { l.count++ }

// Received counts a grant that is received, and blackens the rank.
func (l *ledger) Received() { l.count--; l.black = true }

// Recover does nothing: a wave does not use credits.
func (l *ledger) Recover(comm.Env, int64) {}

// takeVisit returns the rank's contribution and whitens the rank. Grants that it receives from
// now on count in the next round.
func (l *ledger) takeVisit() visit {
	v := l.visit
	l.black = false
	return v
}

// spanning holds the edges of a spanning tree at one rank.
type spanning struct {
	parent   int
	children []int
}

func spanningAt(t topology.Tree, rank int) spanning {
	return spanning{t.Parent(rank), slices.Clip(t.Children(rank, nil))}
}
