package bb

// The printed bound: minRemaining of section 3.1 adds, for each object on a processor
// and each of its neighbours that is not placed, the smaller of the neighbour's
// computation and what their link costs the processor. A neighbour of several objects on
// the processor is so counted several times, though it computes once: for three objects that
// compute 5, 6 and 5, of which the last has links of 6 and 8 with the others, two
// processors are bounded by 21 when the first two are on one of them, and the third can
// join them at 16 in all.
//
// The paper does not say how it counts proxies: here a link to each receiver is.

// followPrinted takes in that object i has been placed on p, or is not any more.
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

// chargeForLink charges processor p for an object that is not placed and has a link with one on
// p, which costs p so much.
func (f *future) chargeForLink(s *state, j, p int32, sign, ns int64) {
	if s.where[j] != nowhere {
		return
	}
	ns = sign * min(ns, s.in.problem.Objects[j].Comp)
	f.least[int(j)*s.in.p+int(p)] += ns
	f.cost[p] += ns
}
