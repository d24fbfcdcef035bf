package mapping

import (
	"fmt"
	"slices"
	"strings"
)

// Options are the options of every strategy.
type Options struct {
	Seed   uint64                      // seed of all random choices: the same seed gives the same map if Stop counts its calls
	Start  Map                         // a map of the problem; the result is never worse. nil: none
	Stop   func() bool                 // reports whether the strategy must end now; see Incumbent.CountSteps for how often it is called. Once true, it stays true. nil: never
	Better func(m Map, makespan int64) // called with each better complete map, which the function may keep. nil: not called
	Bound  func(makespan int64)        // called with each better proved lower bound of the optimum. nil: not called
}

// Strategy is a way to map a problem.
type Strategy struct {
	Name string
	Doc  string // one line for people

	// Run returns a complete map of a problem that Check has accepted. It changes neither
	// the problem nor the options.
	Run func(p *Problem, o Options) Map

	// Anytime means that the strategy searches for ever better maps until it is stopped or has
	// nothing left to try. The other strategies end soon by themselves.
	Anytime bool
}

// method is a strategy that offers maps to an incumbent. All except the constructive methods need
// an incumbent with a map.
type method func(in *Incumbent, g *graph)

// constructive are the strategies that make a map from nothing.
var constructive = []struct {
	name, doc string
	method    method
}{
	{"home", "every object stays on its processor; comm-greedy places objects that have none", offerHomeMap},
	{"random", "each object on a processor drawn at random", placeRandomly},
	{"greedy", "the paper's: the longest half where the cost is least, the others where they add the least communication", placeGreedily},
	{"greedy-printed", "greedy as the paper prints it, without the costs of the communication partners", greedyPrinted},
	{"lpt", "the longest object first, each on the processor with the least computation; without communication", placeLongestFirst},
	{"comm-greedy", "the most expensive object first, each where the costs that it changes are lowest", commGreedy},
}

// Strategies returns the strategies of this package, simplest first.
func Strategies() (all []Strategy) {
	for _, c := range constructive {
		all = append(all, Strategy{Name: c.name, Doc: c.doc, Run: chainMethods(c.method)})
	}
	all = append(all, Strategy{Name: "refine", Doc: "improves the map of --start, or home, by moves and swaps at the busiest processor", Run: chainMethods(ensureHomeMap, refineIncumbent)})
	for _, c := range constructive[1:] {
		all = append(all, Strategy{Name: c.name + "-refine", Doc: "refine after " + c.name, Run: chainMethods(c.method, refineIncumbent)})
	}
	return append(all,
		Strategy{Name: "anneal", Doc: "simulated annealing, in cycles until stopped", Run: chainMethods(ensureStartMap, annealIncumbent), Anytime: true},
		Strategy{Name: "multilevel", Doc: "maps clusters of objects first, then the objects, with annealing at each level, in rounds until stopped", Run: chainMethods(multilevel), Anytime: true},
	)
}

// offerHomeMap offers the map of the objects' homes; those without a home go where
// comm-greedy puts them.
func offerHomeMap(in *Incumbent, g *graph) { placeByCommGreedy(in, g, true) }

// ensureHomeMap offers the map of homes if there is no map to start with.
func ensureHomeMap(in *Incumbent, g *graph) {
	if in.Map == nil {
		offerHomeMap(in, g)
	}
}

// FindStrategy returns the strategy of a name.
func FindStrategy(name string) (Strategy, error) { return StrategyAmong(Strategies(), name) }

// StrategyAmong returns the strategy of a name among these.
func StrategyAmong(all []Strategy, name string) (Strategy, error) {
	var names []string
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Strategy{}, fmt.Errorf("strategy %q: expected one of %s", name, strings.Join(names, ", "))
}

// chainMethods makes a strategy of methods that follow each other.
func chainMethods(methods ...method) func(*Problem, Options) Map {
	return func(p *Problem, o Options) Map {
		in, g := NewIncumbent(p, o), newGraph(p)
		for _, m := range methods {
			m(in, g)
		}
		return in.Map
	}
}

// Incumbent is the best map that a strategy has found so far.
type Incumbent struct {
	Problem  *Problem
	Options  Options
	Map      Map   // nil before the first
	Makespan int64 // of Map

	steps int // since Stop was asked last
	above int // objects of the problems whose incumbents hear of this one's maps
}

// NewIncumbent begins with the map that the options start with, if any.
func NewIncumbent(p *Problem, o Options) *Incumbent {
	in := &Incumbent{Problem: p, Options: o}
	if o.Start != nil {
		in.OfferMap(o.Start, p.EvaluateMap(o.Start).Makespan)
	}
	return in
}

// OfferMap makes a copy of a map the incumbent if it is better. O(n) time if it is, else O(1).
func (in *Incumbent) OfferMap(m Map, makespan int64) (better bool) {
	if in.Map != nil && makespan >= in.Makespan {
		return false
	}
	// The listener keeps its own copy.
	in.Map, in.Makespan = slices.Clone(m), makespan
	if in.Options.Better != nil {
		in.Options.Better(slices.Clone(in.Map), makespan)
	}
	return true
}

// ShouldStop asks whether the strategy is to end.
func (in *Incumbent) ShouldStop() bool {
	in.steps = 0
	return in.Options.Stop != nil && in.Options.Stop()
}

// askSteps is how many elementary steps, of a few nanoseconds each, are made between two
// questions whether to stop.
const askSteps = 1 << 12

// CountSteps counts elementary steps, and asks whether to end after every askSteps of them.
// Between two checks a strategy makes few more steps than askSteps, or passes over the problem a
// few times, O(n + a log a + P). After a stop it makes at most the same number again.
func (in *Incumbent) CountSteps(steps int) (stop bool) {
	in.steps += steps
	return in.steps >= askSteps && in.ShouldStop()
}
