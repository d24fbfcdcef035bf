package cdcl

// VMTF, variable move to front: a doubly linked list of all variables. Its last variable is the
// front. Each variable has the stamp of its last move, so stamps grow along the list, and all
// variables after nearest are assigned. Source: Biere, Fröhlich 2015; L. Ryan's solver Siege.

const noVariable = ^uint32(0)

// queue is the list.
type queue struct {
	links       []link
	first, last uint32
	nearest     uint32 // where the search for an unassigned variable begins
	moves       uint32 // the last stamp
}

// link is the place of a variable in the queue.
type link struct {
	previous, next uint32
	stamp          uint32
}

// enqueue puts a variable that is not in the queue at its front.
func (s *Solver) enqueue(v uint32) {
	if s.moves == ^uint32(0) {
		s.renumberQueue()
	}
	s.moves++
	s.links[v] = link{s.last, noVariable, s.moves}
	if s.last == noVariable {
		s.first = v
	} else {
		s.links[s.last].next = v
	}
	s.last = v
	if s.values[2*v] == 0 {
		s.nearest = v
	}
}

// moveToFront moves a variable to the front of the queue.
func (s *Solver) moveToFront(v uint32) {
	l := s.links[v]
	if l.next == noVariable {
		return
	}
	if l.previous == noVariable {
		s.first = l.next
	} else {
		s.links[l.previous].next = l.next
	}
	s.links[l.next].previous = l.previous
	if s.nearest == v { // all variables after v are assigned, v is assigned in a conflict
		s.nearest = l.next
		if l.previous != noVariable {
			s.nearest = l.previous
		}
	}
	s.enqueue(v)
}

// renumberQueue gives the variables small stamps again.
func (s *Solver) renumberQueue() {
	s.moves = 0
	for v := s.first; v != noVariable; v = s.links[v].next {
		s.moves++
		s.links[v].stamp = s.moves
	}
}

// nextInQueue returns the unassigned variable nearest to the front.
func (s *Solver) nextInQueue() uint32 {
	v := s.nearest
	for s.values[2*v] != 0 {
		v = s.links[v].previous
	}
	s.nearest = v
	return v
}
