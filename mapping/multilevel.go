package mapping

import "math/rand/v2"

// The multilevel method (B. Hendrickson, R. Leland, A Multilevel Algorithm for Partitioning
// Graphs, Supercomputing 1995): coarsen until few clusters per processor are left, map these,
// then go back level by level and improve the map at each level. Distant parts of a mesh are
// arranged among few clusters, where one step moves far. On the whole mesh annealing would need
// very many steps.
//
// Here a cycle of annealing improves a level, with steps in proportion to its objects. From the
// second round on, the clusters are made of objects on the same processor, so that no part of the
// map is lost, and they differ from round to round.

const (
	clustersEach = 8    // for each processor, at the coarsest level
	shrunk       = 0.95 // a level that has more of the finer one's objects is not worth its while
	levelSteps   = 1000 // of annealing for each object of a level, in the first round
	lastRounds   = 8    // if nothing stops them
)

// Multilevel improves a map from coarse to fine, round after round.
type Multilevel struct {
	in    *Incumbent
	graph *graph
	rng   *rand.Rand
	steps int // of annealing for each object of a level; 0: no round yet
}

// NewMultilevel begins with an incumbent, which need not have a map, and whose maps it
// makes better. O(n + a log a) time for n objects and a arcs.
func NewMultilevel(in *Incumbent) *Multilevel { return newMultilevel(in, newGraph(in.Problem)) }

func newMultilevel(in *Incumbent, g *graph) *Multilevel {
	return &Multilevel{in: in, graph: g, rng: newRandomStream(in.Options.Seed, 2)}
}

// RunRound runs a round, or what there is time for. The first makes a map from nothing, the
// others improve the incumbent and anneal for twice as long as the one before.
func (m *Multilevel) RunRound() {
	if m.steps == 0 {
		m.steps = levelSteps
		fresh := &Incumbent{Problem: m.in.Problem, Options: m.in.Options}
		fresh.Options.Better = func(x Map, makespan int64) { m.in.OfferMap(x, makespan) }
		m.improveByLevels(fresh, m.graph)
		return
	}
	m.steps *= 2
	m.improveByLevels(m.in, m.graph)
}

// multilevel runs rounds until it is stopped.
func multilevel(in *Incumbent, g *graph) {
	m := newMultilevel(in, g)
	m.RunRound()
	if newAnnealer(in, g, m.rng) == nil {
		return // nothing to improve
	}
	for round := 1; !in.ShouldStop() && (in.Options.Stop != nil || round < lastRounds); round++ {
		m.RunRound()
	}
}

// improveByLevels improves the incumbent, or makes one if there is none: first with clusters for
// objects, then with the objects.
func (m *Multilevel) improveByLevels(in *Incumbent, g *graph) {
	target, total := clustersEach*in.Problem.Processors, int64(0)
	for _, i := range g.movable {
		total += in.Problem.Objects[i].Comp
	}
	if len(g.movable) > target && !in.ShouldStop() {
		l := coarsenGraph(g, in.Map, total/int64(target)*3/2, m.rng)
		if float64(len(l.graph.movable)) < shrunk*float64(len(g.movable)) {
			m.improveByLevels(l.incumbent(in), l.graph)
		}
	}
	if in.Map == nil {
		commGreedy(in, g)
	}
	if in.ShouldStop() {
		return
	}
	if a := newAnnealer(in, g, m.rng); a != nil {
		a.restartFromIncumbent()
		a.runCoolingCycle(m.steps * len(g.movable))
	}
}

// incumbent begins with a finer problem's map, if there is one, and hands what is better
// back.
func (l *level) incumbent(fine *Incumbent) *Incumbent {
	in := &Incumbent{Problem: l.graph.problem, Options: fine.Options, above: fine.above + len(l.cluster)}
	in.Options.Better = func(m Map, makespan int64) { fine.OfferMap(l.projectMapFiner(m), makespan) }
	if fine.Map != nil {
		in.OfferMap(l.projectMapCoarser(fine.Map), fine.Makespan)
	}
	return in
}
