package mapping

import "slices"

// partial is a partial map with the costs of the placed objects among themselves. The greedy
// strategies build it.
type partial struct {
	*graph
	in      *Incumbent
	at      Map // Nowhere: not placed yet
	cost    []int64
	reach   [][]seat // by group: the processors that hold placed receivers of it
	work    int      // elementary steps since the incumbent counted them last, about
	stopped bool
	changes changes // scratch
	near    []int32 // scratch: candidates
	listed  []bool  // by processor: it is among them
}

// newPartial places the fixed objects.
func newPartial(in *Incumbent, g *graph) *partial {
	p := g.problem
	s := &partial{
		graph: g, in: in, at: make(Map, len(p.Objects)), cost: make([]int64, p.Processors), reach: make([][]seat, len(g.groups)),
		changes: newChanges(p.Processors), listed: make([]bool, p.Processors),
	}
	copy(s.cost, p.Background)
	for i := range s.at {
		s.at[i] = Nowhere
	}
	for i, o := range p.Objects {
		if o.Fixed && !s.shouldStop() {
			s.placeObject(int32(i), o.Home)
		}
	}
	return s
}

// shouldStop reports whether the strategy must end. Once true, it stays true.
func (s *partial) shouldStop() bool {
	s.stopped = s.stopped || s.in.CountSteps(s.work)
	s.work = 0
	return s.stopped
}

// offerMap offers the map. If the map is incomplete because time ran out, it is offered only if
// there is no other map. Unplaced objects then stay at home, or are dealt out.
func (s *partial) offerMap() {
	if !s.stopped {
		s.in.OfferMap(s.at, slices.Max(s.cost))
		return
	}
	if s.in.Map != nil {
		return
	}
	for i, o := range s.problem.Objects {
		switch {
		case s.at[i] != Nowhere:
		case o.Home != Nowhere:
			s.at[i] = o.Home
		default:
			s.at[i] = int32(i % len(s.cost))
		}
	}
	s.in.OfferMap(s.at, s.problem.EvaluateMap(s.at).Makespan)
}

// costChangesOfPlacing returns the cost changes of placing an unplaced object on a processor:
// first there, then on others. The slice is valid until the next call.
func (s *partial) costChangesOfPlacing(i, q int32) []change {
	s.changes.resetChanges()
	s.changes.addChange(q, s.problem.Objects[i].Comp)
	s.work += 1 + len(s.links[i])
	for _, l := range s.links[i] {
		if r := s.at[l.other]; r != Nowhere && r != q {
			s.changes.all[0].by += l.mine
			s.changes.addChange(r, l.both-l.mine)
		}
	}
	for _, k := range s.hears[i] {
		x := &s.groups[k]
		s.work += len(s.reach[k])
		if from := s.at[x.sender]; from != Nowhere && from != q && receivers(s.reach[k], q) == 0 {
			s.changes.all[0].by += x.receive
			s.changes.addChange(from, x.send)
		}
	}
	for _, k := range s.speaks[i] {
		x := &s.groups[k]
		s.work += len(s.reach[k])
		for _, r := range s.reach[k] {
			if r.processor != q {
				s.changes.all[0].by += x.send
				s.changes.addChange(r.processor, x.receive)
			}
		}
	}
	return s.changes.all
}

// placeObject places an object.
func (s *partial) placeObject(i, q int32) {
	for _, c := range s.costChangesOfPlacing(i, q) {
		s.cost[c.processor] += c.by
	}
	s.at[i] = q
	for _, k := range s.hears[i] {
		s.work += len(s.reach[k])
		s.reach[k] = addReceivers(s.reach[k], q, 1)
	}
}

// leastCostProcessor returns the processor of least cost, the first of several.
func (s *partial) leastCostProcessor() (least int32) {
	s.work += len(s.cost)
	for q, c := range s.cost {
		if c < s.cost[least] {
			least = int32(q)
		}
	}
	return least
}

// candidates returns the processors that can be best for an object: processors with objects with
// which it communicates, and the processor of least cost, because the object pays the same on all
// others. The slice is valid until the next call.
func (s *partial) candidates(i int32) []int32 {
	for _, q := range s.near {
		s.listed[q] = false
	}
	s.near = s.near[:0]
	add := func(q int32) {
		if q != Nowhere && !s.listed[q] {
			s.listed[q] = true
			s.near = append(s.near, q)
		}
	}
	add(s.leastCostProcessor())
	s.work += len(s.links[i])
	for _, l := range s.links[i] {
		add(s.at[l.other])
	}
	for _, k := range s.hears[i] {
		add(s.at[s.groups[k].sender])
		s.work += len(s.reach[k])
		for _, r := range s.reach[k] {
			add(r.processor)
		}
	}
	for _, k := range s.speaks[i] {
		s.work += len(s.reach[k])
		for _, r := range s.reach[k] {
			add(r.processor)
		}
	}
	return s.near
}
