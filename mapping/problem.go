// Package mapping places communicating objects on processors so that the largest cost of a
// processor is as small as possible (Radhakrishnan, Brunner and Kalé, "Branch and Bound Based
// Load Balancing for Parallel Applications"). All costs are in whole nanoseconds, so that results
// do not depend on the order of a sum.
package mapping

import (
	"fmt"
	"math"
)

// Problem is a graph of objects to be mapped to processors. It does not change after Check has
// accepted it. Many strategies may use it at once.
type Problem struct {
	Processors int     // P ≥ 1
	Background []int64 // ns that a processor is busy with other things; nil for none
	Objects    []Object
	Arcs       []Arc
}

// Object is a unit of work.
type Object struct {
	Name  string // for people; may be empty
	Comp  int64  // ns of computation, at least 0
	Home  int32  // the processor it is on now, or Nowhere
	Fixed bool   // it cannot leave home
}

// Nowhere is the home of an object that has none.
const Nowhere int32 = -1

// Arc is communication from one object to another. Its cost is paid if the two are on different
// processors: the sender's processor pays Send, the receiver's pays Receive.
//
// Arcs with the same sender and the same Proxy, unless that is NoProxy, are a proxy group. For
// each other processor with a receiver of the group, one Send and one Receive are paid, the
// largest of the group, instead of one per arc (section 2).
type Arc struct {
	From, To      int32
	Send, Receive int64 // ns, at least 0
	Proxy         int32
}

// NoProxy is the Proxy of an arc that belongs to no group.
const NoProxy int32 = -1

// Machine is the cost of communication: a message of B bytes costs α + β·B at one end.
type Machine struct {
	SendMessage, ReceiveMessage float64 // α, ns per message
	SendByte, ReceiveByte       float64 // β, ns per byte
}

// MessageCosts returns the cost of the given number of messages with the given number of bytes in
// all, at either end, rounded to nanoseconds.
func (m Machine) MessageCosts(messages, bytes int64) (send, receive int64) {
	at := func(message, octet float64) int64 {
		return int64(math.Round(float64(message*float64(messages)) + float64(octet*float64(bytes))))
	}
	return at(m.SendMessage, m.SendByte), at(m.ReceiveMessage, m.ReceiveByte)
}

// Map is the place of each object: Map[i] is the processor of object i, 0 ≤ Map[i] < P.
type Map []int32

// MaxTotal bounds the sum of all costs of a problem, so that no sum overflows. Each arc of a
// proxy group counts as the largest of the group, because a map may have to pay the largest that
// number of times.
const MaxTotal = 1 << 60

// MaxProcessors bounds the number of processors, because tables have a row or a column for each.
const MaxProcessors = 1 << 20

// Check returns an error if a problem is invalid or costs more than MaxTotal. The error names the
// object or arc. O(n + a + P) time for n objects and a arcs.
func (p *Problem) Check() error {
	if p.Processors < 1 || p.Processors > MaxProcessors {
		return fmt.Errorf("%d processors: expected 1 to %d", p.Processors, MaxProcessors)
	}
	if p.Background != nil && len(p.Background) != p.Processors {
		return fmt.Errorf("background loads of %d processors: expected %d", len(p.Background), p.Processors)
	}
	sum := total(0)
	for i, ns := range p.Background {
		if err := sum.addCost("background of processor", i, ns, 1); err != nil {
			return err
		}
	}
	for i, o := range p.Objects {
		if o.Home < Nowhere || int(o.Home) >= p.Processors || o.Fixed && o.Home == Nowhere {
			return fmt.Errorf("object %d: home %d: expected a processor of %d", i, o.Home, p.Processors)
		}
		if err := sum.addCost("object", i, o.Comp, 1); err != nil {
			return err
		}
	}
	return p.checkArcs(&sum)
}

// checkArcs is the part of Check that concerns arcs.
func (p *Problem) checkArcs(sum *total) error {
	type group struct{ arcs, send, receive int64 }
	groups := map[[2]int32]group{}
	for i, a := range p.Arcs {
		if n := int32(len(p.Objects)); a.From < 0 || a.From >= n || a.To < 0 || a.To >= n || a.Proxy < NoProxy {
			return fmt.Errorf("arc %d: from %d to %d, proxy %d: expected objects of %d", i, a.From, a.To, a.Proxy, n)
		}
		g := group{1, a.Send, a.Receive}
		if a.Proxy != NoProxy && a.Send >= 0 && a.Receive >= 0 {
			// What the group's arcs so far came to is taken back, and added again with this one.
			key := [2]int32{a.From, a.Proxy}
			before := groups[key]
			*sum -= total(before.arcs * (before.send + before.receive))
			g = group{before.arcs + 1, max(before.send, a.Send), max(before.receive, a.Receive)}
			groups[key] = g
		}
		if err := sum.addCost("send cost of arc", i, g.send, g.arcs); err != nil {
			return err
		}
		if err := sum.addCost("receive cost of arc", i, g.receive, g.arcs); err != nil {
			return err
		}
	}
	return nil
}

// total is a sum of costs, at most MaxTotal.
type total int64

// addCost adds a cost that is paid up to the given number of times, at least once.
func (t *total) addCost(what string, i int, ns, times int64) error {
	if ns < 0 || ns > (MaxTotal-int64(*t))/times {
		return fmt.Errorf("%s %d: %d ns, up to %d times: expected 0 or more, and a sum of at most 2^60", what, i, ns, times)
	}
	*t += total(ns * times)
	return nil
}

// CheckMap returns an error if m is not a map of the problem.
func (p *Problem) CheckMap(m Map) error {
	if len(m) != len(p.Objects) {
		return fmt.Errorf("the map has %d objects: expected %d", len(m), len(p.Objects))
	}
	for i, q := range m {
		if q < 0 || int(q) >= p.Processors {
			return fmt.Errorf("object %d on processor %d: expected 0 to %d", i, q, p.Processors-1)
		}
		if o := p.Objects[i]; o.Fixed && q != o.Home {
			return fmt.Errorf("object %d on processor %d: expected %d, which it cannot leave", i, q, o.Home)
		}
	}
	return nil
}
