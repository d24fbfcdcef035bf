// Package auto maps objects by all strategies together: it has the strategy auto and the list of
// all strategies.
package auto

import (
	"math/rand/v2"
	"slices"

	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/search"
)

// Strategies returns all strategies, simplest first, auto last.
func Strategies() []mapping.Strategy {
	return append(append(mapping.Strategies(), bb.Strategies()...), mapping.Strategy{
		Name: "auto", Doc: "quick strategies, then annealing, pair-bb and, if there are few objects, bb", Run: runAutoStrategy, Anytime: true,
	})
}

// FindStrategy returns the strategy of a name.
func FindStrategy(name string) (mapping.Strategy, error) {
	return mapping.StrategyAmong(Strategies(), name)
}

const (
	provable   = 64      // largest number of objects for which the whole tree is searched
	pairNodes  = 1 << 12 // nodes for pairs in the first round, about
	pairLook   = 32      // nodes of a pair between two checks whether to stop, at most
	treeNodes  = 1 << 12 // of the whole tree in the first round
	lastRounds = 8       // rounds, if nothing stops it
)

// auto is the anytime pipeline. Quick strategies come first. Then come rounds of annealing from
// coarse to fine and of branch and bound on pairs of processors. If objects are few, each round
// also searches the whole tree, until the search proves the best map optimal. The remaining time
// is unknown, so each round is about twice as long as the previous one.
//
// The paper has only the single steps. That branch and bound should start with a good map is the
// "greedy estimate" of section 3.1.
type auto struct {
	*mapping.Incumbent
	rng     *rand.Rand
	bound   int64      // the proved lower bound
	tree    *bb.Search // of the whole problem; nil: too many objects
	look    int        // nodes of the tree between two checks whether to stop
	settled int64      // the makespan that no pair improved; 0: none yet
}

// runAutoStrategy is the strategy auto.
func runAutoStrategy(p *mapping.Problem, o mapping.Options) mapping.Map {
	a := &auto{Incumbent: mapping.NewIncumbent(p, o), rng: rand.New(rand.NewPCG(o.Seed, 4))}
	a.offerStartMaps()
	a.raiseLowerBound(mapping.LowerBound(p))
	if !slices.ContainsFunc(p.Objects, func(o mapping.Object) bool { return !o.Fixed }) { // there is no other map
		a.raiseLowerBound(a.Makespan)
		return a.Map
	}
	a.prepareTree()
	levels := mapping.NewMultilevel(a.Incumbent)
	for round := 0; !a.isFinished() && (o.Stop != nil || round < lastRounds); round++ {
		levels.RunRound()
		a.improvePairs(pairNodes << round)
		a.searchTree(treeNodes << round)
	}
	return a.Map
}

// isFinished reports whether the time is over or the map is optimal.
func (a *auto) isFinished() bool { return a.bound == a.Makespan || a.ShouldStop() }

// raiseLowerBound reports a lower bound if it is better than the last.
func (a *auto) raiseLowerBound(bound int64) {
	if bound = min(bound, a.Makespan); bound > a.bound {
		a.bound = bound
		if a.Options.Bound != nil {
			a.Options.Bound(bound)
		}
	}
}

// starts are the quick strategies, including the map of the objects' homes.
var starts = []string{"comm-greedy", "home", "lpt", "greedy"}

// offerStartMaps offers the maps of the quick strategies.
func (a *auto) offerStartMaps() {
	for _, name := range starts {
		if a.Map != nil && a.ShouldStop() {
			return
		}
		s, err := mapping.FindStrategy(name)
		if err != nil {
			panic(err) // the names are constants
		}
		s.Run(a.Problem, mapping.Options{Seed: a.Options.Seed, Stop: a.Options.Stop, Better: func(m mapping.Map, makespan int64) { a.OfferMap(m, makespan) }})
	}
}

// prepareTree prepares the tree of the whole problem. Its root has a bound of its own.
func (a *auto) prepareTree() {
	in, err := bb.New(a.Problem, bb.Options{Upper: a.Makespan})
	if err != nil {
		return // too large
	}
	a.raiseLowerBound(in.LowerBound())
	if in.ObjectCount() <= provable && a.Makespan > 0 {
		a.tree, a.look = in.NewSearch(search.DefaultSplitting, true), in.NodesPerLook()
	}
}

// searchTree continues the search of the tree for about the given number of nodes.
func (a *auto) searchTree(nodes int) {
	if a.tree == nil {
		return
	}
	a.tree.Tighten(a.Makespan)
	for ; nodes > 0 && !a.tree.Empty() && !a.ShouldStop(); nodes -= a.look {
		a.tree.Expand(a.look)
		if m, makespan, ok := a.tree.BestFoundMap(); ok {
			a.OfferMap(m, makespan)
		}
	}
	if a.tree.Empty() {
		a.raiseLowerBound(a.Makespan)
	}
}

// improvePairs improves the map pair by pair with about the given number of nodes.
func (a *auto) improvePairs(nodes int) {
	if a.settled == a.Makespan || a.Makespan == 0 {
		return
	}
	v, err := bb.NewImprover(a.Problem, a.Map)
	if err != nil {
		return // too large
	}
	stop := func() bool {
		nodes -= pairLook
		return nodes < 0 || a.ShouldStop()
	}
	for t := bb.NewTournament(v); !a.ShouldStop(); {
		round, ok := t.NextRound()
		if !ok {
			a.settled = a.Makespan
			return
		}
		for _, pair := range round {
			if stop() {
				return
			}
			if t.TakeChange(v.SearchPair(pair, t.Limits, a.rng, stop)) {
				a.OfferMap(v.CurrentMap(), v.Makespan())
			}
		}
	}
}
