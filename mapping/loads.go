package mapping

import "slices"

// loads is a complete map with the cost of every processor, updated as objects move. Trying or
// making a move takes time proportional to the object's links plus, for each of its proxy groups,
// the number of processors that the group reaches.
type loads struct {
	*graph
	processors int
	at         Map
	cost       []int64
	with       []int64  // by object and processor: both sides of its links with objects there; nil: the table would be too large
	reach      [][]seat // by group: the processors that hold receivers of it

	work    int     // elementary steps made, about
	changes changes // scratch
}

// seat counts the receivers of a group on a processor.
type seat struct{ processor, receivers int32 }

// change is the effect of a move on a processor.
type change struct {
	processor int32
	by        int64
}

// changes are the effects of a move on several processors, each of which is listed once.
type changes struct {
	all []change
	at  []int32 // by processor: 1 + its index in the list; 0: not listed
}

// newChanges makes an empty list.
func newChanges(processors int) changes { return changes{at: make([]int32, processors)} }

// resetChanges empties the list.
func (c *changes) resetChanges() {
	for _, x := range c.all {
		c.at[x.processor] = 0
	}
	c.all = c.all[:0]
}

// addChange notes a change.
func (c *changes) addChange(q int32, by int64) {
	if k := c.at[q]; k > 0 {
		c.all[k-1].by += by
		return
	}
	c.all = append(c.all, change{q, by})
	c.at[q] = int32(len(c.all))
}

// tableLimit bounds the table with, 128 MiB.
const tableLimit = 1 << 24

// newLoads adds up a map, which it copies.
func newLoads(g *graph, m Map) *loads {
	p := g.problem
	s := &loads{graph: g, processors: p.Processors, cost: make([]int64, p.Processors), reach: make([][]seat, len(g.groups)), changes: newChanges(p.Processors)}
	if len(m)*s.processors <= tableLimit {
		s.with = make([]int64, len(m)*s.processors)
	}
	for k, x := range g.groups {
		s.reach[k] = make([]seat, 0, min(len(x.receivers), s.processors))
	}
	s.resetToMap(m)
	return s
}

// resetToMap adds up another map.
func (s *loads) resetToMap(m Map) {
	s.at = append(s.at[:0], m...)
	clear(s.cost)
	copy(s.cost, s.problem.Background)
	clear(s.with)
	for i, q := range s.at {
		s.cost[q] += s.weight[i]
		for _, l := range s.links[i] {
			if s.with != nil {
				s.with[i*s.processors+int(s.at[l.other])] += l.both
			}
			if int(l.other) > i && s.at[l.other] == q {
				s.cost[q] -= l.both
			}
		}
	}
	for k, x := range s.groups {
		s.changes.resetChanges()
		for _, i := range x.receivers {
			s.changes.addChange(s.at[i], 1)
		}
		s.reach[k] = s.reach[k][:0]
		for _, c := range s.changes.all {
			s.reach[k] = append(s.reach[k], seat{c.processor, int32(c.by)})
		}
		for _, r := range s.reach[k] {
			if from := s.at[x.sender]; r.processor != from {
				s.cost[from] += x.send
				s.cost[r.processor] += x.receive
			}
		}
	}
}

// makespan returns the largest cost. O(P) time.
func (s *loads) makespan() int64 { return slices.Max(s.cost) }

// processorAffinity returns both sides of an object's links with the objects on a processor.
func (s *loads) processorAffinity(i, q int32) (both int64) {
	if s.with != nil {
		return s.with[int(i)*s.processors+int(q)]
	}
	s.work += len(s.links[i])
	for _, l := range s.links[i] {
		if s.at[l.other] == q {
			both += l.both
		}
	}
	return both
}

// costChangesOfMove returns what a move to another processor would change: first at the one that
// the object would leave, then at the one it would join, then, if it belongs to proxy
// groups, at others. The slice is good until the next call.
func (s *loads) costChangesOfMove(i, q int32) []change {
	p := s.at[i]
	s.changes.resetChanges()
	s.changes.addChange(p, s.processorAffinity(i, p)-s.weight[i])
	s.changes.addChange(q, s.weight[i]-s.processorAffinity(i, q))
	for _, k := range s.hears[i] {
		s.work += len(s.reach[k])
		x, from := &s.groups[k], s.at[s.groups[k].sender]
		if p != from && receivers(s.reach[k], p) == 1 {
			s.changes.addChange(p, -x.receive)
			s.changes.addChange(from, -x.send)
		}
		if q != from && receivers(s.reach[k], q) == 0 {
			s.changes.addChange(q, x.receive)
			s.changes.addChange(from, x.send)
		}
	}
	for _, k := range s.speaks[i] {
		x := &s.groups[k]
		s.work += len(s.reach[k])
		for _, r := range s.reach[k] {
			if r.processor == p {
				s.changes.addChange(p, x.receive)
				s.changes.addChange(q, x.send)
			} else if r.processor == q {
				s.changes.addChange(p, -x.send)
				s.changes.addChange(q, -x.receive)
			} else {
				s.changes.addChange(p, -x.send)
				s.changes.addChange(q, x.send)
			}
		}
	}
	return s.changes.all
}

// moveObject moves an object to another processor.
func (s *loads) moveObject(i, q int32) {
	for _, c := range s.costChangesOfMove(i, q) {
		s.cost[c.processor] += c.by
	}
	s.updatePlacement(i, q)
}

// updatePlacement moves an object whose changes of costs have been made already.
func (s *loads) updatePlacement(i, q int32) {
	p := s.at[i]
	s.at[i] = q
	s.work += len(s.links[i])
	if s.with != nil {
		for _, l := range s.links[i] {
			row := s.with[int(l.other)*s.processors:]
			row[p] -= l.both
			row[q] += l.both
		}
	}
	for _, k := range s.hears[i] {
		s.work += len(s.reach[k])
		s.reach[k] = addReceivers(addReceivers(s.reach[k], p, -1), q, 1)
	}
}

// costChangesOfSwap returns what a swap of two objects on different processors, neither of which
// belongs to a proxy group, would change at the first one's and at the second one's.
func (s *loads) costChangesOfSwap(i, j int32) (first, second int64) {
	p, q, both := s.at[i], s.at[j], s.linkCostBetween(i, j)
	first = s.processorAffinity(i, p) - s.weight[i] + s.weight[j] - s.processorAffinity(j, p) + both
	second = s.processorAffinity(j, q) - s.weight[j] + s.weight[i] - s.processorAffinity(i, q) + both
	return first, second
}

// isInProxyGroup reports whether an object belongs to a proxy group.
func (g *graph) isInProxyGroup(i int32) bool { return len(g.hears[i])+len(g.speaks[i]) > 0 }

// receivers returns the number of receivers on a processor.
func receivers(seats []seat, q int32) int32 {
	for _, r := range seats {
		if r.processor == q {
			return r.receivers
		}
	}
	return 0
}

// addReceivers adds receivers on a processor, whose seat goes with the last of them.
func addReceivers(seats []seat, q, n int32) []seat {
	for k := range seats {
		if seats[k].processor == q {
			if seats[k].receivers += n; seats[k].receivers == 0 {
				seats[k] = seats[len(seats)-1]
				seats = seats[:len(seats)-1]
			}
			return seats
		}
	}
	return append(seats, seat{q, n})
}
