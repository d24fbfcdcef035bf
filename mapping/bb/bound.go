package bb

// future is a lower bound on the costs that unplaced objects add to a partial map. The bound of
// section 3.1, minRemaining, is not admissible; this bound is.
//
// Consider an unplaced object j and a processor p. If j is placed on p, p pays j's computation
// and j's ends of its links to objects on other processors. If j is placed elsewhere, p pays its
// ends of j's links with the objects on p. So cost[p] grows at least by the smaller of the two,
// and the amounts of different objects add up, because they are paid for different work. Also,
// all processors together pay at least the least total cost (both ends) of j over all processors,
// and the busiest processor pays at least the average.
//
// The message of a proxy group is shared between its unplaced receivers: each receiver is charged
// its part, rounded down, of the payment that is due as soon as one receiver goes to another
// processor. If another processor already has a receiver, the sender's processor may pay nothing
// more, because all receivers can go there. If the sender is unplaced, it is charged the amounts
// that the receivers' processors cause it to pay, and they are charged their ends.
type future struct {
	// By object and processor, for unplaced objects: the object's ends, and the processor's ends,
	// of links with objects on the processor.
	mine, theirs     []int64
	allMine, allBoth []int64 // by object: the sums of mine and of mine + theirs
	least            []int64 // by object and processor: the least amount that the processor pays
	nearest          []int64 // by object: the least amount that all processors pay

	cost []int64 // by processor: the sum of least over the unplaced objects
	sum  int64   // the sum of nearest over the unplaced objects

	here, away, total []int64 // by processor, for one object: working memory
}

// addAllObjects adds all objects, none of which is placed.
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

// removeCharge removes the charges of an object that is about to be placed. The tables keep the
// object's entries unchanged until restoreCharge.
func (f *future) removeCharge(s *state, i int32) { f.addCharge(s, i, -1) }

// restoreCharge adds the charges of the object again.
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

// updateForPlacement updates the bound after object i was placed on p or, with sign −1, removed
// from p.
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

// refreshCharge computes the charges of an unplaced object again. O(P·(1 + its groups)).
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

// sumGroupCharges adds up the charges of an object's groups. here is the payment of a processor
// if the object is on it, away if it is not; total is the payment of all processors if it is.
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

// lowerBound returns a lower bound of the makespan of all completions. O(P).
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
