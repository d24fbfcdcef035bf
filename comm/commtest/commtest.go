// Package commtest is the conformance suite of transports: the properties that every
// comm.Transport must have. Run checks a transport whose ranks are goroutines, in a test. Rank
// is one rank's part of the same suite, for transports whose ranks are processes.
package commtest

import (
	"fmt"
	"sync"
	"testing"

	"treesplit/comm"
)

// Case is one property of a transport.
type Case struct {
	Name string
	// Check is called on every rank of a world and returns an error if the property is
	// violated. It leaves no message behind. A rank that fails may leave others waiting: the
	// caller must then end the world.
	Check func(tr comm.Transport, messages int) error
}

// Cases are the properties, in an order in which one world can check all of them: the last one
// leaves the world with an error.
var Cases = []Case{
	{"order", checkOrder},
	{"fields", checkFields},
	{"large bodies", checkLarge},
	{"many messages", checkMany},
	{"self-sends", checkSelf},
	{"timeout", checkTimeout},
	{"drain", checkDrain},
	{"drain keeps later messages", checkDrainLater},
	{"broadcast", checkBroadcast},
	{"gather", checkGather},
	{"reductions", checkReductions},
	{"all to all", checkAllToAll},
	{"mixed", checkMixed},
	{"error", checkError},
}

// Sizes are the numbers of ranks with which a transport is checked.
var Sizes = []int{1, 2, 3, 4, 7}

// Messages returns the number of messages of the case with many messages.
func Messages(short bool) int {
	if short {
		return 100_000
	}
	return 1_000_000
}

// Run checks every case in worlds of several sizes. start returns the endpoints of a new world
// and a function that ends it with an error on all ranks.
func Run(t *testing.T, start func(size int) (ranks []comm.Transport, fail func(error))) {
	messages := Messages(testing.Short())
	for _, size := range Sizes {
		for _, c := range Cases {
			t.Run(fmt.Sprintf("%s/%d", c.Name, size), func(t *testing.T) {
				ranks, fail := start(size)
				var all sync.WaitGroup
				for _, tr := range ranks {
					all.Go(func() {
						if err := c.Check(tr, messages); err != nil {
							t.Errorf("rank %d: %v", tr.Rank(), err)
							fail(err)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// Rank checks all cases in one world as one of its ranks, and stops at the first failure. A
// drain between two cases separates their messages.
func Rank(tr comm.Transport, messages int) error {
	for _, c := range Cases {
		if err := c.Check(tr, messages); err != nil {
			return fmt.Errorf("%s: rank %d fails: %w", c.Name, tr.Rank(), err)
		}
		if c.Name != Cases[len(Cases)-1].Name {
			if err := settle(tr); err != nil {
				return fmt.Errorf("%s: rank %d fails afterwards: %w", c.Name, tr.Rank(), err)
			}
		}
	}
	return nil
}

// settle drains, returns an error if a message is left, and waits until all ranks have
// drained.
func settle(tr comm.Transport) error {
	left := 0
	var last comm.Message
	err := tr.Drain(func(m comm.Message) { left, last = left+1, m })
	if err == nil && left > 0 {
		err = fmt.Errorf("%d messages are left, the last is a %v from rank %d", left, last.Kind, last.From)
	}
	if m, ok := tr.TryRecv(); err == nil && ok {
		err = fmt.Errorf("the rank received a %v from rank %d after a drain", m.Kind, m.From)
	}
	if err != nil {
		return err
	}
	return tr.Sum([]int64{1})
}

// receive waits for a message without a time limit.
func receive(tr comm.Transport) (comm.Message, error) {
	m, ok := tr.Recv(comm.Never)
	if !ok {
		return m, fmt.Errorf("no message arrives: %w", tr.Err())
	}
	if int(m.To) != tr.Rank() {
		return m, fmt.Errorf("the rank received a message to rank %d", m.To)
	}
	return m, nil
}
