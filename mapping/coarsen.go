package mapping

import (
	"math/rand/v2"
	"slices"
)

// Heavy-edge coarsening (G. Karypis, V. Kumar, A Fast and High Quality Multilevel Scheme for
// Partitioning Irregular Graphs, SIAM J. Sci. Comput. 20 (1998), section 3.1): pairs of objects
// with much communication are joined into clusters, which are the objects of a smaller problem. A
// map of clusters costs exactly as much as the map that puts each object where its cluster is:
// links between clusters add up, links inside cost nothing, and proxy groups are kept.

// level is a problem whose objects are clusters of a finer problem's objects.
type level struct {
	graph   *graph
	cluster []int32 // by object of the finer problem
}

// coarsenGraph joins objects. It joins a fixed object only with objects fixed on the same
// processor, and no two objects whose computation together exceeds limit. With a map it joins
// only objects on the same processor, so that the map is also a map of the clusters.
func coarsenGraph(g *graph, m Map, limit int64, rng *rand.Rand) level {
	n := len(g.weight)
	l := level{cluster: make([]int32, n)}
	for i := range l.cluster {
		l.cluster[i] = Nowhere
	}
	clusters := l.joinFixed(g.problem) // so that below only other objects are without a cluster
	order := slices.Clone(g.movable)
	rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	pull := newPull(n)
	for _, i := range order {
		if l.cluster[i] != Nowhere {
			continue
		}
		l.cluster[i] = clusters
		pull.sumLinksOf(g, i)
		best := Nowhere
		for _, j := range pull.others {
			fits := l.cluster[j] == Nowhere && g.problem.Objects[i].Comp+g.problem.Objects[j].Comp <= limit
			if fits && (m == nil || m[i] == m[j]) && (best == Nowhere || pull.ns[j] > pull.ns[best]) {
				best = j
			}
		}
		if best != Nowhere {
			l.cluster[best] = clusters
		}
		pull.resetSums()
		clusters++
	}
	l.graph = newGraph(l.clusterProblem(g, int(clusters)))
	return l
}

// joinFixed makes one cluster of all fixed objects of a processor, and returns the number of
// these clusters.
func (l *level) joinFixed(p *Problem) (clusters int32) {
	home := make([]int32, p.Processors)
	for i, o := range p.Objects {
		if !o.Fixed {
			continue
		}
		if home[o.Home] == 0 {
			clusters++
			home[o.Home] = clusters
		}
		l.cluster[i] = home[o.Home] - 1
	}
	return clusters
}

// clusterProblem returns the problem whose objects are the clusters.
func (l *level) clusterProblem(g *graph, clusters int) *Problem {
	p := &Problem{Processors: g.problem.Processors, Background: g.problem.Background, Objects: make([]Object, clusters)}
	for i, o := range g.problem.Objects {
		x := &p.Objects[l.cluster[i]]
		x.Comp += o.Comp
		x.Home, x.Fixed = Nowhere, o.Fixed
		if o.Fixed {
			x.Home = o.Home
		}
		for _, e := range g.links[i] {
			// One of the two entries of a link is enough.
			if from, to := l.cluster[i], l.cluster[e.other]; int(e.other) > i && from != to {
				p.Arcs = append(p.Arcs, Arc{From: from, To: to, Send: e.mine, Receive: e.both - e.mine, Proxy: NoProxy})
			}
		}
	}
	for k, x := range g.groups {
		for _, i := range x.receivers {
			p.Arcs = append(p.Arcs, Arc{From: l.cluster[x.sender], To: l.cluster[i], Send: x.send, Receive: x.receive, Proxy: int32(k)})
		}
	}
	return p
}

// projectMapFiner returns the map of the finer problem that puts each object where its cluster
// is.
func (l *level) projectMapFiner(m Map) Map {
	fine := make(Map, len(l.cluster))
	for i, c := range l.cluster {
		fine[i] = m[c]
	}
	return fine
}

// projectMapCoarser returns the map of the clusters, whose objects must be on one processor per
// cluster.
func (l *level) projectMapCoarser(m Map) Map {
	coarse := make(Map, len(l.graph.weight))
	for i, c := range l.cluster {
		coarse[c] = m[i]
	}
	return coarse
}

// pull is the communication of an object with other objects: both ends of their links and, for
// proxy groups, the message that sender and receiver share, divided by the number of receivers.
type pull struct {
	ns     []int64 // by other object
	others []int32 // the objects with which it communicates
}

func newPull(n int) *pull { return &pull{ns: make([]int64, n)} }

// sumLinksOf adds up the communication of an object.
func (p *pull) sumLinksOf(g *graph, i int32) {
	for _, e := range g.links[i] {
		p.addPullTo(e.other, e.both)
	}
	for _, k := range g.hears[i] {
		x := &g.groups[k]
		p.addPullTo(x.sender, (x.send+x.receive)/int64(len(x.receivers)))
	}
	for _, k := range g.speaks[i] {
		x := &g.groups[k]
		for _, j := range x.receivers {
			p.addPullTo(j, (x.send+x.receive)/int64(len(x.receivers)))
		}
	}
}

func (p *pull) addPullTo(j int32, ns int64) {
	if p.ns[j] == 0 {
		p.others = append(p.others, j)
	}
	p.ns[j] += ns
}

func (p *pull) resetSums() {
	for _, j := range p.others {
		p.ns[j] = 0
	}
	p.others = p.others[:0]
}
