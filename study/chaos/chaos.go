// Package chaos runs searches on the simulated machine in which everything is drawn from one
// number: the tree; the scheme and the detector with their options; the machine and its network;
// the number of ranks; the faults; and the moments at which the search is interrupted. An
// interrupted search resumes from its pieces under another scheme, on other ranks of another
// machine. Whatever is drawn, every node must be expanded once, the answer must equal the answer of
// the plain search, and the run must end.
//
// The seed selects the kinds of faults as well as their extent, so that a run has some of them and
// seldom all: swarm testing (Groce et al., ISSTA 2012). The same seed gives the same run on every
// machine of one architecture, so that every failure can be repeated. On another architecture the last
// bit of a drawn value may differ (math.Exp).
package chaos

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"treesplit/lb"
	"treesplit/termination"
)

// Outcome describes a run and its counts.
type Outcome struct {
	Seed      uint64
	Drawn     string // the tree, and one line per segment: everything that was drawn
	Nodes     int64  // of the tree
	Segments  int    // segments between two interruptions, at least 1
	Pieces    int    // total number of pieces with which segments began
	Encoded   int    // number of times that pieces were encoded as a checkpoint
	Events    int64  // simulated
	Decided   bool   // a witness has ended the search
	Digest    uint64 // of all counts: equal for equal runs
	Schemes   []string
	Detectors []string
}

// Run makes the run with the given seed. The error describes the failure and everything that was
// drawn. The Outcome is filled in up to the end of the run or the failure. A run takes about a
// millisecond.
func Run(seed uint64) (Outcome, error) { return new(world).runFromSeed(seed) }

// world holds the functions that runs use. The zero value is the real one; tests insert faults.
type world struct {
	detector func(d termination.Detector, rank int) termination.Detector
	balancer func(b lb.Balancer, rank int) lb.Balancer
	left     func(pieces [][]byte) [][]byte // changes the pieces of an interrupted search
	piece    func(piece []byte) []byte      // changes a piece that a share has split off
}

// stream is the number of the random stream of all draws. The streams of the ranks and the faults
// have other seeds.
const stream = 0xc4a05

func (w *world) runFromSeed(seed uint64) (o Outcome, err error) {
	r := rand.New(rand.NewPCG(seed, stream))
	c := &chain{world: w, draw: r, tree: drawRandomTree(r)}
	defer func() { // a panic of a scheme is a fault like others, and must be reproducible too
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		c.out.Seed, c.out.Drawn = seed, strings.Join(append([]string{c.tree.name}, c.told...), "\n")
		o = c.out
		if err != nil {
			err = fmt.Errorf("seed %d: %w\n%s", seed, err, o.Drawn)
		}
	}()
	return o, c.searchInSegments()
}
