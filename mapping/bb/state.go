package bb

// nowhere is the processor of an unplaced object.
const nowhere = -1

// state is a partial map with its costs. The costs are updated as objects are placed and removed,
// in last-in first-out order. It allocates memory only when it is made.
type state struct {
	in    *Instance
	where []int32 // by object
	held  []int32 // by processor: number of its objects
	cost  []int64 // by processor, as mapping.Evaluate counts the placed objects
	sum   int64   // of cost
	// reach counts the placed receivers by group and processor. open counts the unplaced
	// receivers by group. reached counts the processors with a receiver by group.
	reach         []int32
	open, reached []int32

	future future
}

func newState(in *Instance) *state {
	n, g := len(in.problem.Objects), len(in.groups)
	s := &state{
		in: in, where: make([]int32, n), held: make([]int32, in.p), cost: make([]int64, in.p),
		reach: make([]int32, g*in.p), open: make([]int32, g), reached: make([]int32, g),
	}
	for i := range s.where {
		s.where[i] = nowhere
	}
	for i := range in.groups {
		s.open[i] = int32(len(in.groups[i].receivers))
	}
	copy(s.cost, in.problem.Background)
	for _, c := range s.cost {
		s.sum += c
	}
	s.future.addAllObjects(s)
	for _, i := range in.fixed {
		s.placeObject(i, in.problem.Objects[i].Home)
	}
	return s
}

// placeObject places an unplaced object on a processor. It takes O(links·P) time, and the same
// again for each receiver of its groups.
func (s *state) placeObject(i, p int32) {
	s.future.removeCharge(s, i)
	s.where[i] = p
	s.held[p]++
	s.chargeObject(i, p, 1)
	for _, g := range s.in.speaks[i] {
		s.chargeSender(g, p, 1)
	}
	for _, g := range s.in.hears[i] {
		s.addReceiver(g, p)
	}
	s.future.updateForPlacement(s, i, p, 1)
}

// unplaceObject removes the last placed object.
func (s *state) unplaceObject(i int32) {
	p := s.where[i]
	for _, g := range s.in.hears[i] {
		s.removeReceiver(g, p)
	}
	for _, g := range s.in.speaks[i] {
		s.chargeSender(g, p, -1)
	}
	s.chargeObject(i, p, -1)
	s.where[i] = nowhere
	s.held[p]--
	s.future.updateForPlacement(s, i, p, -1)
	s.future.restoreCharge(s, i)
}

// chargeObject adds the cost of an object on p: its computation and its links with placed
// objects. With sign −1 it subtracts the cost.
func (s *state) chargeObject(i, p int32, sign int64) {
	own := s.in.problem.Objects[i].Comp
	total := own
	for _, l := range s.in.links[i] {
		if q := s.where[l.other]; q != nowhere && q != p {
			own += l.mine
			s.cost[q] += sign * l.theirs
			total += l.mine + l.theirs
		}
	}
	s.cost[p] += sign * own
	s.sum += sign * total
}

// chargeSender charges the cost of a group whose sender is placed on p.
func (s *state) chargeSender(g, p int32, sign int64) {
	row := s.groupReach(g)
	for q, n := range row {
		if n > 0 && int32(q) != p {
			s.chargeMessage(g, p, int32(q), sign)
		}
	}
}

// addReceiver notes a receiver of a group on p.
func (s *state) addReceiver(g, p int32) {
	row := s.groupReach(g)
	s.open[g]--
	if row[p]++; row[p] > 1 {
		return
	}
	s.reached[g]++
	if q := s.where[s.in.groups[g].sender]; q != nowhere && q != p {
		s.chargeMessage(g, q, p, 1)
	}
}

// removeReceiver removes a receiver of a group on p.
func (s *state) removeReceiver(g, p int32) {
	row := s.groupReach(g)
	s.open[g]++
	if row[p]--; row[p] > 0 {
		return
	}
	s.reached[g]--
	if q := s.where[s.in.groups[g].sender]; q != nowhere && q != p {
		s.chargeMessage(g, q, p, -1)
	}
}

// chargeMessage charges a group's message from one processor to another.
func (s *state) chargeMessage(g, from, to int32, sign int64) {
	group := &s.in.groups[g]
	s.cost[from] += sign * group.send
	s.cost[to] += sign * group.receive
	s.sum += sign * (group.send + group.receive)
}

func (s *state) groupReach(g int32) []int32 { return s.reach[int(g)*s.in.p : (int(g)+1)*s.in.p] }

// interchangeable reports whether a processor is equivalent to a lower one: both have no object
// and equal background load. Fixed objects are placed first, so a processor with a fixed object
// is not empty. O(P).
func (s *state) interchangeable(p int32) bool {
	if s.held[p] > 0 {
		return false
	}
	for q := range p {
		if s.held[q] == 0 && s.in.background(q) == s.in.background(p) {
			return true
		}
	}
	return false
}
