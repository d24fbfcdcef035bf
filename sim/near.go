package sim

import "slices"

// near holds the events of the current slot and of earlier ones. The events that the slot has when it begins are sorted
// once. Events that are pushed later are few and are inserted, if few events come before them; the others are kept in a
// heap: at the first moment of a run every rank has an event.
type near struct {
	events []event // in descending order: the earliest one is the last
	later  heap    // events that were pushed since the slot began
}

// fewEvents is the number of events that are sorted by insertion, and the largest number of events that an event passes
// when it is inserted.
const fewEvents = 32

// isEmpty reports whether there is no event.
func (n *near) isEmpty() bool { return len(n.events) == 0 && len(n.later) == 0 }

// sortEvents puts the events of a slot that begins in order.
func (n *near) sortEvents(order *causes) {
	s := n.events
	if len(s) > fewEvents {
		slices.SortFunc(s, func(e, f event) int {
			if order.comesBefore(&f, &e) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(s); i++ {
		insertEvent(s[:i+1], order)
	}
}

// insertEvent moves the last event of a list to its place. The others are in descending order.
func insertEvent(s []event, order *causes) {
	i := len(s) - 1
	for e := s[i]; i > 0 && order.comesBefore(&s[i-1], &e); i-- {
		s[i-1], s[i] = e, s[i-1]
	}
}

func (n *near) pushEvent(order *causes, e event) {
	if first := len(n.events) - fewEvents; first > 0 && order.comesBefore(&n.events[first], &e) {
		n.later.pushEvent(order, e)
		return
	}
	n.events = append(n.events, e)
	insertEvent(n.events, order)
}

// popEarliest returns the earliest event. There must be one.
func (n *near) popEarliest(order *causes) event {
	last := len(n.events) - 1
	if len(n.later) > 0 && (last < 0 || order.comesBefore(&n.later[0], &n.events[last])) {
		return n.later.popEarliest(order)
	}
	e := n.events[last]
	n.events = n.events[:last]
	return e
}
