package sim

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/topology"
)

// Without contention the links of a simulated network carry any number of messages at once. With
// contention (Machine.Contention) a link carries one message at a time in each direction, and
// messages wait for a link in the order in which they reach it. Routes are in package topology.
//
// Two ways to pass a message on are simulated. A switch stores any number of waiting messages.
//
//   - Cut-through: the first word of a message takes PerHop per link, and the other words follow
//     without a gap. The message occupies a link for the time of its words only. If the first word
//     waits, the words behind it enter the switch and free the links before it (virtual cut-through,
//     Kermani and Kleinrock 1979). Without waiting a message takes as long as without contention.
//     Under wormhole routing, as on the nCUBE/2, a waiting message would keep these links.
//   - Store-and-forward: a message is passed on when all of it has arrived at the next rank or
//     switch. It takes, and occupies each link for, PerHop + the time of its words. This is the
//     packet routing of Sanders, "Better Algorithms for Parallel Backtracking", section 2.1.
//
// Each link of a route is an event, so that the order of messages at a link is exact. Messages of
// the same route never overtake each other. Contention needs O(links) memory, and O(hops) events
// for each message.

// Contention defines whether messages wait for links, and how a message is passed on.
type Contention uint8

const (
	// NoContention: links carry any number of messages at once. Messages are passed on by
	// cut-through.
	NoContention Contention = iota
	// CutThrough: a link carries one message at a time; virtual cut-through.
	CutThrough
	// StoreAndForward: a link carries one message at a time; a message is passed on as a whole.
	StoreAndForward
)

// contentionNames are the values of the field of a machine file.
var contentionNames = []string{"none", "cut-through", "store-and-forward"}

// String returns the value in the form of a machine file.
func (c Contention) String() string {
	if int(c) < len(contentionNames) {
		return contentionNames[c]
	}
	return fmt.Sprintf("Contention(%d)", uint8(c))
}

func parseContention(v string) (Contention, error) {
	if i := slices.Index(contentionNames, v); i >= 0 {
		return Contention(i), nil
	}
	return 0, fmt.Errorf("%q: expected one of %s", v, strings.Join(contentionNames, ", "))
}

// checkContention returns an error if the links of the machine's network are not simulated.
func (m *Machine) checkContention() error {
	if int(m.Contention) >= len(contentionNames) {
		return fmt.Errorf("%v is unknown", m.Contention)
	}
	network, err := topology.Parse(m.Topology, 1)
	if _, ok := network.(topology.Linked); err == nil && m.Contention != NoContention && !ok {
		return fmt.Errorf("a %s has no links that messages share: expected none, or a hypercube, a mesh, a ring or a fattree", m.Topology)
	}
	return nil
}

// links holds the state of the links during a run with contention.
type links struct {
	network topology.Linked
	freeAt  []comm.Time // when a link has carried all messages that have reached it
	waited  comm.Time   // sum of the times that messages have waited
}

// newLinks returns the links of a network without messages, or nil without contention.
func newLinks(c Contention, network topology.Topology) *links {
	linked, ok := network.(topology.Linked)
	if !ok || c == NoContention {
		return nil
	}
	return &links{network: linked, freeAt: make([]comm.Time, linked.LinkCount())}
}

// crossLink lets a message that has reached the next link of its route cross it as soon as the link
// is free. While the message is in the network, item.next is the number of links behind it.
func (w *world) crossLink(i int32, now comm.Time) {
	it, l := &w.agenda.items[i], w.links
	from, to := int(it.from), int(it.to)
	link := l.network.LinkOnRoute(from, to, int(it.next))
	words := w.wordTime(i)
	start := max(now, l.freeAt[link])
	l.waited += start - now
	end := start + w.machine.PerHop
	if w.machine.Contention == StoreAndForward {
		end += words
		l.freeAt[link] = end
	} else {
		l.freeAt[link] = start + words
	}
	if it.next++; int(it.next) < l.network.Distance(from, to) {
		w.agenda.scheduleItem(end, leave, i)
		return
	}
	if w.machine.Contention == CutThrough {
		end += words
	}
	w.arriveInOrder(&w.ranks[from], i, now, end)
}
