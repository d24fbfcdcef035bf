package mapping

import (
	"cmp"
	"slices"
)

// graph is a problem prepared for incremental costs.
//
// Communication outside proxy groups has a simple form, which the paper does not mention. Let the
// weight of an object be its computation plus its side of all its links, as if no two objects
// shared a processor. Then the cost of a processor is its background load, plus the weights of
// its objects, minus both sides of every link inside it. So a link is undirected and has one
// number. A moved object changes only the cost of the processor that it leaves and of the one
// that it joins.
type graph struct {
	problem *Problem
	weight  []int64
	links   [][]link // by object; in the order of other
	groups  []group
	hears   [][]int32 // by object: the groups in which it is a receiver
	speaks  [][]int32 // by object: the groups in which it is the sender
	movable []int32   // the objects that are not fixed
}

// link is all communication between two objects outside groups.
type link struct {
	other int32
	mine  int64 // ns at the object's end if they are apart
	both  int64 // ns at both ends together; positive
}

// group is a proxy group of at least two receivers, all different from the sender.
type group struct {
	sender        int32
	send, receive int64 // ns per other processor with receivers
	receivers     []int32
}

// newGraph prepares a problem. O(n + a log a) time.
func newGraph(p *Problem) *graph {
	n := len(p.Objects)
	g := &graph{problem: p, weight: make([]int64, n), hears: make([][]int32, n), speaks: make([][]int32, n)}
	var apart, grouped []Arc
	for _, a := range p.Arcs {
		switch {
		case a.Proxy != NoProxy:
			grouped = append(grouped, a)
		case a.From != a.To && a.Send+a.Receive > 0:
			apart = append(apart, a)
		}
	}
	slices.SortFunc(grouped, func(a, b Arc) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Proxy, b.Proxy), cmp.Compare(a.To, b.To))
	})
	for len(grouped) > 0 {
		k := 1
		for k < len(grouped) && grouped[k].From == grouped[0].From && grouped[k].Proxy == grouped[0].Proxy {
			k++
		}
		if a, alone := g.buildGroup(grouped[:k]); alone {
			apart = append(apart, a)
		}
		grouped = grouped[k:]
	}
	g.buildLinks(apart)
	for i, o := range p.Objects {
		g.weight[i] += o.Comp
		if !o.Fixed {
			g.movable = append(g.movable, int32(i))
		}
	}
	return g
}

// buildLinks makes links of arcs that are in no group, or alone in one. The links of all objects
// share one allocation.
func (g *graph) buildLinks(arcs []Arc) {
	degree := make([]int32, len(g.weight))
	for _, a := range arcs {
		g.weight[a.From] += a.Send
		g.weight[a.To] += a.Receive
		degree[a.From]++
		degree[a.To]++
	}
	room := make([]link, 2*len(arcs))
	g.links = make([][]link, len(g.weight))
	for i, d := range degree {
		g.links[i], room = room[:0:d], room[d:]
	}
	for _, a := range arcs {
		both := a.Send + a.Receive
		g.links[a.From] = append(g.links[a.From], link{a.To, a.Send, both})
		g.links[a.To] = append(g.links[a.To], link{a.From, a.Receive, both})
	}
	for i, all := range g.links {
		g.links[i] = mergeLinks(all)
	}
}

// buildGroup adds the arcs of a group, sorted by receiver, or returns the one arc to which it
// comes.
func (g *graph) buildGroup(arcs []Arc) (one Arc, alone bool) {
	x := group{sender: arcs[0].From}
	for _, a := range arcs {
		// An arc to the sender itself is never paid but may be the largest.
		x.send, x.receive = max(x.send, a.Send), max(x.receive, a.Receive)
		if a.To != a.From && (len(x.receivers) == 0 || x.receivers[len(x.receivers)-1] != a.To) {
			x.receivers = append(x.receivers, a.To)
		}
	}
	switch {
	case len(x.receivers) == 0 || x.send+x.receive == 0:
	case len(x.receivers) == 1:
		return Arc{From: x.sender, To: x.receivers[0], Send: x.send, Receive: x.receive}, true
	default:
		number := int32(len(g.groups))
		g.groups = append(g.groups, x)
		g.speaks[x.sender] = append(g.speaks[x.sender], number)
		for _, i := range x.receivers {
			g.hears[i] = append(g.hears[i], number)
		}
	}
	return Arc{}, false
}

// mergeLinks joins all links with the same object, in place.
func mergeLinks(all []link) []link {
	one := all[:0]
	slices.SortFunc(all, func(a, b link) int { return cmp.Compare(a.other, b.other) })
	for _, l := range all {
		if k := len(one); k > 0 && one[k-1].other == l.other {
			one[k-1].mine += l.mine
			one[k-1].both += l.both
		} else {
			one = append(one, l)
		}
	}
	return one
}

// linkCostBetween returns both sides of the link of two objects, or 0 without a link. O(log
// degree) time.
func (g *graph) linkCostBetween(i, j int32) int64 {
	if len(g.links[j]) < len(g.links[i]) {
		i, j = j, i
	}
	k, ok := slices.BinarySearchFunc(g.links[i], j, func(l link, j int32) int { return cmp.Compare(l.other, j) })
	if !ok {
		return 0
	}
	return g.links[i][k].both
}
