package bb

// The printed bound: for each object on a processor and each of its unplaced neighbours,
// minRemaining of section 3.1 adds the smaller of the neighbour's computation and the cost of
// their link for the processor. A neighbour of several objects on the processor is counted
// several times, though it computes once. Example: three objects compute 5, 6 and 5, and the last
// has links of 6 and 8 with the others. If the first two are on one of two processors, the bound
// is 21, but the third can join them at a total of 16.
//
// The paper does not define how it counts proxies. Here a link to each receiver counts.

// followPrinted updates the bound after object i was placed on p or removed from p.
func (f *future) followPrinted(s *state, i, p int32, sign int64) {
	for _, l := range s.in.links[i] {
		f.chargeForLink(s, l.other, p, sign, l.mine)
	}
	for _, g := range s.in.speaks[i] {
		for _, j := range s.in.groups[g].receivers {
			f.chargeForLink(s, j, p, sign, s.in.groups[g].send)
		}
	}
	for _, g := range s.in.hears[i] {
		f.chargeForLink(s, s.in.groups[g].sender, p, sign, s.in.groups[g].receive)
	}
}

// chargeForLink charges processor p for an unplaced object whose link with an object on p costs p
// ns.
func (f *future) chargeForLink(s *state, j, p int32, sign, ns int64) {
	if s.where[j] != nowhere {
		return
	}
	ns = sign * min(ns, s.in.problem.Objects[j].Comp)
	f.least[int(j)*s.in.p+int(p)] += ns
	f.cost[p] += ns
}
