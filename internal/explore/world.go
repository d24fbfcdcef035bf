package explore

import (
	"fmt"
	"math"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/lb"
)

// World is some ranks and the messages between them.
type World struct {
	ranks    []*rank
	channels [][]comm.Message // of rank a to rank b, at a·P+b, oldest first
	now      comm.Time
	size     int   // W
	least    int64 // Shape.LeastValue
	expanded int64 // the sum of rank.expanded
	tokens   int   // Token messages delivered since the search was over
}

// rank is one rank's Env with its protocol.
type rank struct {
	world    *World
	number   int
	rand     *rand.Rand
	balancer lb.Balancer
	toy      *Toy
	alarms   []comm.Time

	// What the last check has found. Only the rank that has acted since can differ from it.
	expanded int64
	closed   float64
}

// Maker makes the protocol of one rank over its share of the tree.
type Maker func(work *Toy, rank, size int) lb.Balancer

// New returns a world of p ranks over a toy tree, and starts every rank.
func New(p int, shape Shape, seed uint64, make_ Maker) *World {
	w := &World{channels: make([][]comm.Message, p*p), size: shape.CountNodes(), least: shape.LeastValue()}
	for i := range p {
		toy := NewToy(shape, i == 0)
		w.ranks = append(w.ranks, &rank{
			world: w, number: i, toy: toy, balancer: make_(toy, i, p),
			rand: rand.New(rand.NewPCG(seed, uint64(i))),
		})
	}
	for _, r := range w.ranks {
		r.balancer.Start(r)
	}
	return w
}

func (r *rank) Rank() int        { return r.number }
func (r *rank) Size() int        { return len(r.world.ranks) }
func (r *rank) Now() comm.Time   { return r.world.now }
func (r *rank) Rand() *rand.Rand { return r.rand }

func (r *rank) Send(m comm.Message) {
	m.From = int32(r.number)
	c := r.number*r.Size() + int(m.To)
	r.world.channels[c] = append(r.world.channels[c], m)
}

func (r *rank) Alarm(at comm.Time) { r.alarms = append(r.alarms, at) }

// Actor is what can act next: ranks 0 … P−1 that work, then ranks whose alarm
// rings (P … 2P−1), then channels (2P …).
type Actor int

// EnabledActors appends the actors that can act now to dst, in ascending order.
func (w *World) EnabledActors(dst []Actor) []Actor {
	p := len(w.ranks)
	for i, r := range w.ranks {
		if r.balancer.State() == lb.Busy {
			dst = append(dst, Actor(i))
		}
	}
	for i, r := range w.ranks {
		if len(r.alarms) > 0 && r.balancer.State() != lb.Done {
			dst = append(dst, Actor(p+i))
		}
	}
	for c, queue := range w.channels {
		if len(queue) > 0 {
			dst = append(dst, Actor(2*p+c))
		}
	}
	return dst
}

// countActors is the number of actors, enabled or not.
func (w *World) countActors() int { return 2*len(w.ranks) + len(w.channels) }

// StepActor lets an enabled actor do one thing: expand one node, receive one alarm (time
// leaps to it), or deliver one message. It returns the number of the rank that did it.
func (w *World) StepActor(a Actor) (number int) {
	p := Actor(len(w.ranks))
	w.now++
	switch {
	case a < p:
		r := w.ranks[a]
		r.balancer.Step(r, 1)
		return r.number
	case a < 2*p:
		r := w.ranks[a-p]
		w.now = max(w.now, r.alarms[0])
		r.alarms = r.alarms[1:]
		r.balancer.Wake(r)
		return r.number
	default:
		c := a - 2*p
		m := w.channels[c][0]
		w.channels[c] = w.channels[c][1:]
		if m.Kind == comm.Token && w.isTreeExpanded() {
			w.tokens++
		}
		r := w.ranks[c%p]
		r.balancer.Deliver(r, m)
		return r.number
	}
}

// isTreeExpanded reports whether the whole tree had been expanded at the last check.
func (w *World) isTreeExpanded() bool { return w.expanded == int64(w.size) }

// isFinished reports whether every rank is Done and no message is in flight.
func (w *World) isFinished() bool {
	for _, r := range w.ranks {
		if r.balancer.State() != lb.Done {
			return false
		}
	}
	return len(w.EnabledActors(nil)) == 0
}

// checkInvariants checks the ranks that have acted since the last check. The other ranks have not
// changed.
func (w *World) checkInvariants(acted []*rank) error {
	for _, r := range acted {
		w.expanded -= r.expanded
		r.expanded = r.balancer.Stats().Expanded
		w.expanded += r.expanded
		r.closed = r.closedNow()
	}
	for _, r := range acted {
		if err := r.balancer.Err(); err != nil {
			return fmt.Errorf("rank %d: %w", r.number, err)
		}
		if r.balancer.State() == lb.Done && r.balancer.Reason() == lb.Exhausted && !w.isTreeExpanded() {
			return fmt.Errorf("early: rank %d is done when %d of %d nodes are expanded", r.number, w.expanded, w.size)
		}
	}
	if w.expanded > int64(w.size) {
		return fmt.Errorf("%d nodes expanded of %d", w.expanded, w.size)
	}
	if closed := w.sumClosed(); closed < 0 || closed > 1+rounding {
		return fmt.Errorf("%v of the tree is closed", closed)
	}
	return nil
}

// auditEndState adds up credits at the end and compares the least values known.
func (w *World) auditEndState() error {
	var sum lb.Audit
	for _, r := range w.ranks {
		a := r.balancer.Audit()
		sum.Recovered.AddFraction(&a.Recovered)
		sum.Recovered.AddFraction(&a.Held)
	}
	if !sum.Recovered.IsExactlyOne() {
		return fmt.Errorf("credits add up to %v", &sum.Recovered)
	}
	if closed := w.sumClosed(); w.ranks[0].balancer.Reason() == lb.Exhausted && math.Abs(closed-1) > rounding {
		return fmt.Errorf("the search is exhausted, and %v of the tree is closed", closed)
	}
	return w.auditBounds()
}

// rounding is how far a sum of weights may be off.
const rounding = 1e-9

// sumClosed returns the part of the tree that all ranks had closed at the last check, by their
// own reports. A Balancer wrapped by a test may not report it.
func (w *World) sumClosed() (sum float64) {
	for _, r := range w.ranks {
		if r.closed < 0 {
			return 1
		}
		sum += r.closed
	}
	return sum
}

// closedNow is the part of the tree that the rank reports as closed, or -1 if it reports
// none.
func (r *rank) closedNow() float64 {
	p, ok := r.balancer.(interface{ Progress() lb.Progress })
	if !ok {
		return -1
	}
	return p.Progress().Closed
}

// knownBound returns the least value that the rank knows.
func (r *rank) knownBound() int64 {
	if b, ok := r.balancer.(interface{ Bound() int64 }); ok {
		return b.Bound()
	}
	return r.toy.bound
}

// auditBounds compares the least known values. All ranks and their shares must know the same
// value, which is the tree's least value if the whole tree was searched. A share that is not
// empty then is one that its rank does not use, as the root under a static start. A Balancer
// wrapped by a test may not report its value.
func (w *World) auditBounds() error {
	known := w.ranks[0].knownBound()
	for i, r := range w.ranks {
		b := r.knownBound()
		if b != known || b < w.least || w.isTreeExpanded() && b != w.least || r.toy.Empty() && r.toy.bound != b {
			return fmt.Errorf("rank %d knows of a value of %d, its share of %d, rank 0 of %d; the least is %d", i, b, r.toy.bound, known, w.least)
		}
	}
	return nil
}
