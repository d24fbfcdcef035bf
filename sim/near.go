package sim

import "slices"

// near holds the events of the current slot and of earlier ones. A slot has about inSlot events. Few events are
// kept sorted, the earliest one last: this takes fewer comparisons than a heap. Many events are kept in a heap, until
// none is left: at the first moment of a run every rank has an event.
type near struct {
	events heap
	heaped bool // events is a heap, and not a list in descending order
}

// mostSorted is the number of events above which they are kept in a heap.
const mostSorted = 32

func (n *near) pushEvent(order *causes, e event) {
	if n.heaped {
		n.events.pushEvent(order, e)
		return
	}
	s := append(n.events, e)
	i := len(s) - 1
	for i > 0 && order.comesBefore(&s[i-1], &e) {
		s[i] = s[i-1]
		i--
	}
	s[i] = e
	n.events = s
	if len(s) > mostSorted {
		slices.Reverse(s) // events in ascending order are a heap
		n.heaped = true
	}
}

func (n *near) popEarliest(order *causes) event {
	if n.heaped {
		e := n.events.popEarliest(order)
		n.heaped = len(n.events) > 0
		return e
	}
	last := len(n.events) - 1
	e := n.events[last]
	n.events = n.events[:last]
	return e
}
