// Package chaos makes searches in the simulated machine in which everything is drawn from
// one number: the tree, the scheme and the detector with their options, the machine and its
// network, the number of ranks, what goes wrong, and the moments at which the search is
// broken off and goes on from its pieces under another scheme, on other ranks of another
// machine. Whatever is drawn, every node must be expanded once, the answer be that of the
// plain search, and the run come to its end.
//
// The seed picks the kinds of fault as well as their measure, so that a run has some of
// them and seldom all: swarm testing (Groce et al., ISSTA 2012). The same seed makes the
// same run on every machine, which is what a failure is repeated by.
package chaos

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"treesplit/lb"
	"treesplit/termination"
)

// Outcome is what a run was and did.
type Outcome struct {
	Seed      uint64
	Drawn     string // the tree, and a line for each segment: what was drawn
	Nodes     int64  // of the tree
	Segments  int    // from one moment at which the search was interrupted to the next, at least 1
	Pieces    int    // that segments went on from, in all
	Encoded   int    // times that pieces went through a checkpoint's bytes
	Events    int64  // simulated
	Decided   bool   // a witness ended the search
	Digest    uint64 // of all that was counted: equal for equal runs
	Schemes   []string
	Detectors []string
}

// Run makes the run of that seed. The error says what was wrong and what was drawn; the
// Outcome is filled in as far as the run came. It takes about a millisecond.
func Run(seed uint64) (Outcome, error) { return new(world).runFromSeed(seed) }

// world is what runs are made with. The zero value is the real thing; tests put a fault in.
type world struct {
	detector func(d termination.Detector, rank int) termination.Detector
	balancer func(b lb.Balancer, rank int) lb.Balancer
	left     func(pieces [][]byte) [][]byte // of a search that is interrupted
	piece    func(piece []byte) []byte      // that a share has split off
}

// stream is that of all draws; the ranks' streams and the faults' are of other seeds.
const stream = 0xc4a05

func (w *world) runFromSeed(seed uint64) (o Outcome, err error) {
	r := rand.New(rand.NewPCG(seed, stream))
	c := &chain{world: w, draw: r, tree: drawRandomTree(r)}
	defer func() { // a panic of a scheme is a fault like another, and is to be repeated too
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
