// Package bb maps objects to processors by branch and bound (Radhakrishnan, Brunner and Kalé,
// "Branch and Bound Based Load Balancing for Parallel Applications", section 3). Objects are
// placed one after the other. A partial map is discarded if a lower bound of all its completions
// shows that none is better than the best known map. A Search is a search.Work, so that all ranks
// of a run can share one. It is a search.Optimiser, so that the best map of one rank bounds the
// other ranks.
package bb

import (
	"cmp"
	"slices"

	"treesplit/mapping"
)

// link is all communication of an object with another object outside groups.
type link struct {
	other        int32
	mine, theirs int64 // ns at the object's end and at the other's, if they are apart
}

// group is a proxy group with at least two receivers, all different from the sender.
type group struct {
	sender        int32
	send, receive int64 // ns per other processor that has a receiver
	receivers     []int32
}

// Instance is a problem prepared for the search: it holds arcs by object and the order of the
// objects. It does not change. Any number of searches may use it at once.
type Instance struct {
	problem *mapping.Problem
	options Options
	p       int // processors
	links   [][]link
	groups  []group
	hears   [][]int32 // by object: the groups in which it is a receiver
	speaks  [][]int32 // by object: the groups in which it is the sender
	order   []int32   // the objects that are not fixed, in the order of placement
	fixed   []int32
	effort  effort
}

// New prepares a problem for the search. It returns an error if Problem.Check or the check of
// Options does, or if a node of the search would take too long (effort.go). The problem must not
// be changed afterwards. It takes O(n log n + a log a) time for n objects and a arcs.
func New(p *mapping.Problem, o Options) (*Instance, error) {
	if err := o.checkOptions(p); err != nil {
		return nil, err
	}
	in, err := prepareInstance(p)
	if err != nil {
		return nil, err
	}
	if in.effort = in.measureEffort(); in.effort.checkLimits() != nil {
		return nil, in.effort.checkLimits()
	}
	in.options = o
	o.Order.sortObjects(in)
	return in, nil
}

// prepareInstance returns an instance without options, with the objects in the problem's order.
func prepareInstance(p *mapping.Problem) (*Instance, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	n := len(p.Objects)
	in := &Instance{problem: p, p: p.Processors, links: make([][]link, n), hears: make([][]int32, n), speaks: make([][]int32, n)}
	in.groupArcs()
	for i, all := range in.links {
		in.links[i] = mergeLinks(all)
	}
	for i, o := range p.Objects {
		if o.Fixed {
			in.fixed = append(in.fixed, int32(i))
		} else {
			in.order = append(in.order, int32(i))
		}
	}
	return in, nil
}

// background returns the background load of a processor in ns.
func (in *Instance) background(p int32) int64 {
	if b := in.problem.Background; b != nil {
		return b[p]
	}
	return 0
}

// ObjectCount returns the number of objects to place, which is the depth of the tree.
func (in *Instance) ObjectCount() int { return len(in.order) }

// groupArcs sorts arcs into links and groups. A group with one receiver becomes a link.
func (in *Instance) groupArcs() {
	var proxied []mapping.Arc
	for _, a := range in.problem.Arcs {
		switch {
		case a.Proxy != mapping.NoProxy: // also to the sender itself: its cost counts for the maximum of the group
			proxied = append(proxied, a)
		case a.From != a.To:
			in.linkObjects(a.From, a.To, a.Send, a.Receive)
		}
	}
	slices.SortFunc(proxied, func(a, b mapping.Arc) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Proxy, b.Proxy), cmp.Compare(a.To, b.To))
	})
	for len(proxied) > 0 {
		g, n := group{sender: proxied[0].From}, 0
		for _, a := range proxied {
			if a.From != g.sender || a.Proxy != proxied[0].Proxy {
				break
			}
			n++
			g.send, g.receive = max(g.send, a.Send), max(g.receive, a.Receive)
			if a.To != a.From && (len(g.receivers) == 0 || g.receivers[len(g.receivers)-1] != a.To) {
				g.receivers = append(g.receivers, a.To)
			}
		}
		proxied = proxied[n:]
		in.addGroup(g)
	}
}

// addGroup adds a group.
func (in *Instance) addGroup(g group) {
	switch len(g.receivers) {
	case 0:
	case 1:
		in.linkObjects(g.sender, g.receivers[0], g.send, g.receive)
	default:
		number := int32(len(in.groups))
		in.groups = append(in.groups, g)
		in.speaks[g.sender] = append(in.speaks[g.sender], number)
		for _, j := range g.receivers {
			in.hears[j] = append(in.hears[j], number)
		}
	}
}

func (in *Instance) linkObjects(from, to int32, send, receive int64) {
	in.links[from] = append(in.links[from], link{to, send, receive})
	in.links[to] = append(in.links[to], link{from, receive, send})
}

// mergeLinks adds up the links with the same object.
func mergeLinks(all []link) []link {
	slices.SortFunc(all, func(a, b link) int { return int(a.other - b.other) })
	kept := all[:0]
	for _, l := range all {
		if n := len(kept); n > 0 && kept[n-1].other == l.other {
			kept[n-1].mine += l.mine
			kept[n-1].theirs += l.theirs
			continue
		}
		kept = append(kept, l)
	}
	return kept
}
