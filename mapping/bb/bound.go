package bb

// future is what the objects that are not placed are sure to add to a partial map's
// costs. The bound of section 3.1, minRemaining, is not admissible: here is one that is.
//
// An object j that is not placed ends either on processor p, which then pays j's
// computation and j's ends of its links to objects on other processors; or it does not,
// and p pays its ends of j's links with the objects on p. So at least the smaller of the
// two comes to cost[p], and what comes of different objects is paid for different
// things. Likewise, all processors together pay at least what j costs on the one
// where that is least (both ends), and the busiest at least their average.
//
// A proxy group's message is shared between its receivers that are not placed: each
// is charged its part of what is paid as soon as one of them goes elsewhere, rounded
// down. Once another processor has a receiver, the sender's may pay nothing more, since
// they can all go there. If it is the sender that is not placed, it is charged what the
// receivers' processors make it pay, and they their ends.
type future struct {
	// By object and processor, of objects not placed: their ends, and the processor's, of
	// links with objects on the processor.
	mine, theirs     []int64
	allMine, allBoth []int64 // by object: the sums of mine and of mine + theirs
	least            []int64 // by object and processor: what the processor pays at least
	nearest          []int64 // by object: what all processors pay at least

	cost []int64 // by processor: the sum of least over the objects not placed
	sum  int64   // of nearest over the objects not placed

	here, away, total []int64 // by processor, for one object: scratch
}

// addAllObjects takes in all objects, none of which is placed.
func (f *future) addAllObjects(s *state) {
	n, p := len(s.where), s.in.p
	f.cost = make([]int64, p)
	if s.in.options.Bound == Costliest {
		return
	}
	f.mine, f.theirs, f.least = make([]int64, n*p), make([]int64, n*p), make([]int64, n*p)
	f.allMine, f.allBoth, f.nearest = make([]int64, n), make([]int64, n), make([]int64, n)
	f.here, f.away, f.total = make([]int64, p), make([]int64, p), make([]int64, p)
	for i := range int32(n) {
		f.refreshCharge(s, i)
	}
}

// removeCharge takes off what an object is charged that is about to be placed. What is noted of
// it stays as it is until it is taken back.
func (f *future) removeCharge(s *state, i int32) { f.addCharge(s, i, -1) }

// restoreCharge puts it back.
func (f *future) restoreCharge(s *state, i int32) { f.addCharge(s, i, 1) }

func (f *future) addCharge(s *state, i int32, sign int64) {
	if f.least == nil {
		return
	}
	p := s.in.p
	for q, ns := range f.least[int(i)*p : (int(i)+1)*p] {
		f.cost[q] += sign * ns
	}
	f.sum += sign * f.nearest[i]
}

// updateForPlacement takes in that object i has been placed on p, or, with sign −1, is not any more.
func (f *future) updateForPlacement(s *state, i, p int32, sign int64) {
	switch s.in.options.Bound {
	case Costliest:
		return
	case Printed:
		f.followPrinted(s, i, p, sign)
		return
	}
	for _, l := range s.in.links[i] {
		j := l.other
		if s.where[j] != nowhere {
			continue
		}
		at := int(j)*s.in.p + int(p)
		f.mine[at] += sign * l.theirs
		f.theirs[at] += sign * l.mine
		f.allMine[j] += sign * l.theirs
		f.allBoth[j] += sign * (l.mine + l.theirs)
		f.refreshCharge(s, j)
	}
	for _, g := range s.in.speaks[i] {
		f.refreshReceivers(s, g)
	}
	for _, g := range s.in.hears[i] {
		if sender := s.in.groups[g].sender; s.where[sender] == nowhere {
			f.refreshCharge(s, sender)
		} else {
			f.refreshReceivers(s, g)
		}
	}
}

func (f *future) refreshReceivers(s *state, g int32) {
	for _, j := range s.in.groups[g].receivers {
		if s.where[j] == nowhere {
			f.refreshCharge(s, j)
		}
	}
}

// refreshCharge works out again what an object that is not placed is charged. O(P·(1 + its groups)).
func (f *future) refreshCharge(s *state, j int32) {
	p := s.in.p
	from, to := int(j)*p, (int(j)+1)*p
	mine, theirs, least := f.mine[from:to], f.theirs[from:to], f.least[from:to]
	here, both := s.in.problem.Objects[j].Comp+f.allMine[j], s.in.problem.Objects[j].Comp+f.allBoth[j]
	grouped := len(s.in.hears[j])+len(s.in.speaks[j]) > 0
	if grouped {
		f.sumGroupCharges(s, j)
	}
	nearest := int64(None)
	cost := f.cost[:len(least)]
	for q := range least {
		on, off, all := here-mine[q], theirs[q], both-mine[q]-theirs[q]
		if grouped {
			on, off, all = on+f.here[q], off+f.away[q], all+f.total[q]
		}
		ns := min(on, off)
		cost[q] += ns - least[q]
		least[q] = ns
		nearest = min(nearest, all)
	}
	f.sum += nearest - f.nearest[j]
	f.nearest[j] = nearest
}

// sumGroupCharges adds up what the groups of an object charge it: here, on a processor, what that
// pays if the object is on it; away, what it pays if not; total, what all pay if it is.
func (f *future) sumGroupCharges(s *state, j int32) {
	clear(f.here)
	clear(f.away)
	clear(f.total)
	for _, g := range s.in.speaks[j] {
		group := &s.in.groups[g]
		for q, n := range s.groupReach(g) {
			others := int64(s.reached[g])
			if n > 0 {
				others--
				f.away[q] += group.receive
			}
			f.here[q] += others * group.send
			f.total[q] += others * (group.send + group.receive)
		}
	}
	for _, g := range s.in.hears[j] {
		group := &s.in.groups[g]
		home := s.where[group.sender]
		if home == nowhere {
			continue
		}
		row, share := s.groupReach(g), int64(s.open[g])
		elsewhere := s.reached[g]
		if row[home] > 0 {
			elsewhere--
		}
		if elsewhere == 0 {
			f.away[home] += group.send / share
		}
		for q, n := range row {
			if n == 0 && int32(q) != home {
				f.here[q] += group.receive / share
				f.total[q] += (group.send + group.receive) / share
			}
		}
	}
}

// lowerBound is a lower bound of the makespan of all completions. O(P).
func (s *state) lowerBound() int64 {
	most := int64(0)
	for q, ns := range s.cost {
		most = max(most, ns+s.future.cost[q])
	}
	if s.in.options.Bound == Admissible {
		p := int64(s.in.p)
		most = max(most, (s.sum+s.future.sum+p-1)/p)
	}
	return most
}
