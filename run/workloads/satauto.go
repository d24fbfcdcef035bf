package workloads

import (
	"math"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/cubes"
	"treesplit/sat/dive"
	"treesplit/sat/lookahead"
	"treesplit/sat/plain"
)

// Rule auto picks the rule that is likely to end first. Rules that search a tree are estimated by
// random dives (package dive). No estimate exists for clause learning, so its solver simply tries
// for a short time, which is a small part of the estimated time of the trees:
//
//  1. short dives under plain and lookahead;
//  2. if the smaller tree is not tiny, the try; if it decides the formula, the search is over;
//  3. if the trees are too large for step 4, or the estimate is vague, longer dives;
//  4. the tree with the smaller time, if it is at most a limit, and rule cubes is not expected to be
//     faster (satautocubes.go); plain searches the formula of the try, from which variables were
//     eliminated, if short dives there expect much less time;
//  5. otherwise a longer try, and then cubes, if it is expected to take little time; or cdcl, whose
//     attempt 0 continues the try.
//
// On the formulas that were examined, the estimates were within a factor of two of the true times
// where the trees were searched to the end. Circuits, planning and model checking have trees far
// above the limit. The limit is higher for formulas whose clauses have one or two lengths of at
// least three: random formulas, van der Waerden formulas. These have so little structure that
// clause learning has no chance where a tree has none.
//
// All limits are in counted steps. So the choice is a function of the formula and the flags: it is
// the same on every machine and for any number of ranks.
//
// The idea to choose solvers by features of the formula is of L. Xu, F. Hutter, H. Hoos, K.
// Leyton-Brown, SATzilla: Portfolio-based Algorithm Selection for SAT, JAIR 32 (2008).

// Picked is the choice of auto, with its reasons.
type Picked struct {
	Plain     *Guess      `json:"plain,omitempty"`     // the tree of plain
	Lookahead *Guess      `json:"lookahead,omitempty"` // the tree of lookahead
	Eliminate *Guess      `json:"eliminate,omitempty"` // the tree of plain after elimination
	Cubes     *CubesGuess `json:"cubes,omitempty"`     // rule cubes
	Tried     bool        `json:"tried"`               // the solver of cdcl has tried
	Conflicts int64       `json:"conflicts"`           // of the try
	Decided   bool        `json:"decided"`             // by the try
}

// Guess is an estimate of the tree of a rule.
type Guess struct {
	Nodes   float64 `json:"nodes"`
	Seconds float64 `json:"seconds"` // on a usual machine, one rank
	Dives   int     `json:"dives"`
	spread  float64
}

// plainStep is the time of a step of rule plain, as cubes.LookStep and cubes.TickTime of other steps. Only their ratios matter
// for the choice.
const plainStep = 10e-9

// Limits of the choice.
const (
	shortPlain, shortLookahead = 600_000, 1_200_000 // steps of the short dives
	mostDives                  = 1000
	leastDives                 = 4      // fewer dives give no estimate
	largeFormula               = 60_000 // literals above which look-ahead is not considered
	tinyTree                   = 0.010  // seconds below which no more thought is worthwhile
	randomTree                 = 2.0    // the same for random formulas, of which the solver decides none
	vagueTree                  = 2.0    // seconds above which a vague estimate is repeated with long dives
	fewDives                   = 50     // an estimate from fewer dives is vague
	manyDives                  = 500    // an estimate from as many dives is not vague
	mostSpread                 = 0.3    // standard error above which an estimate from other numbers of dives is vague
	pickSeed                   = 1
)

// pickLimits bound the trees that auto searches, the try without a small tree, and the long dives. Tests change
// these limits.
type pickLimits struct {
	tree             float64 // seconds up to which a tree is searched
	uniform          float64 // the same for formulas of one or two lengths
	try              int64   // ticks of the try if no tree is small: it continues as attempt 0
	long             int64   // ticks of the try before rule cubes
	cubes            float64 // seconds up to which rule cubes is picked, for formulas of other lengths; 0: never
	less             float64 // plain's tree after elimination must take less than this part of the time of its other tree
	plain, lookahead int64   // steps of the long dives under each rule
	presearch        float64 // part of the expected time of rule cubes that the presearch takes
	leastPresearch   int64   // ticks of the shortest presearch; a shorter one finds little
}

var defaultLimits = pickLimits{tree: 100, uniform: 1e5, try: 6_000_000, long: 270_000_000, cubes: 100, less: 0.7,
	plain: 16_000_000, lookahead: 40_000_000, presearch: 0.05, leastPresearch: 300_000}

// pickRule picks the rule for a formula, and returns the formula that is searched: with the units
// that the try has found.
func (w *SAT) pickRule(f *sat.Formula, l run.Loading) *sat.Formula {
	c := &chooser{formula: f, all: w.All, random: looksRandom(f), Picked: new(Picked)}
	w.choice = c.Picked
	w.picked = lookaheadRule
	if f.Len() == 0 || w.reduced != nil && w.reduced.Refuted {
		return f
	}
	c.estimate(shortPlain, shortLookahead)
	if w.All {
		w.picked, _ = c.betterTree()
		return f
	}
	few := hasFewLengths(f)
	limit := w.limits.tree
	if few {
		limit = w.limits.uniform
	}
	rule, seconds := c.betterTree()
	if seconds <= tinyTree || c.random && seconds < randomTree {
		w.picked = rule
		return f
	}
	t := w.beginTry(f, seconds)
	t.run(c.Picked)
	if t.status == cdcl.Unknown && (seconds > limit || seconds > vagueTree && c.isVague(rule)) {
		c.estimate(w.limits.plain, w.limits.lookahead)
		rule, seconds = c.betterTree()
		if limit == w.limits.tree {
			rule, seconds = c.soundTree() // if an estimate is vague, a few large subtrees have most of the nodes
		}
	}
	if t.status == cdcl.Unknown && seconds > limit && w.engineIsOwn() {
		t.prolong(c.Picked, l.Halted)
	}
	switch {
	case t.status != cdcl.Unknown:
		w.picked = cdclRule
		return t.verdictFormula()
	case w.limits.cubes > 0 && seconds > w.limits.tree && w.expectCubes(addUnits(f, t.solver), c, w.mostOfCubes(seconds, few), l):
		w.picked = cubesRule
		return t.becomePresearch(f)
	case seconds > limit:
		w.picked = cdclRule
		return t.handOver()
	}
	w.picked = rule
	if c.prefersEliminated(t, rule) {
		t.keepSimplified()
		f = t.formula
	}
	return t.giveUp(f)
}

// prefersEliminated reports whether the picked rule is plain, and is expected to search the formula of the
// try much faster, from which variables were eliminated. The tree may be much smaller. But longer clauses
// make nodes more expensive.
func (c *chooser) prefersEliminated(t *try, rule string) bool {
	if rule != plainRule || t.reduced == nil || t.reduced.Stats.Eliminated == 0 {
		return false
	}
	c.Eliminate = guessTree(plain.New(t.formula), t.formula, c.plainSteps, plainStep)
	return c.Eliminate.caution() < t.w.limits.less*c.Plain.caution()
}

// chooser is a choice in progress.
type chooser struct {
	formula *sat.Formula
	all     bool
	random  bool // see looksRandom
	*Picked
	plainSteps int64 // of the last estimate of plain
}

// estimate estimates both trees, with limits in steps.
func (c *chooser) estimate(plainSteps, lookaheadSteps int64) {
	c.plainSteps = plainSteps
	c.Plain = guessTree(c.compile(plain.New, plain.NewCounting), c.formula, plainSteps, plainStep)
	c.Lookahead = nil
	if c.formula.LiteralCount() <= largeFormula || c.all {
		c.Lookahead = guessTree(c.compile(
			func(f *sat.Formula) sat.Rule { return lookahead.New(f) },
			func(f *sat.Formula) sat.Rule { return lookahead.NewCounting(f) }), c.formula, lookaheadSteps, cubes.LookStep)
	}
}

// compile compiles the version of a rule that the search will use.
func (c *chooser) compile(usual, counting func(*sat.Formula) sat.Rule) sat.Rule {
	if c.all {
		return counting(c.formula)
	}
	return usual(c.formula)
}

// guessTree estimates the tree of a rule that was compiled for a formula. It returns nil if the dives are
// too few.
func guessTree(r sat.Rule, f *sat.Formula, steps int64, each float64) *Guess {
	occurrences := float64(f.LiteralCount()) / float64(2*max(r.MaxDepth(), 1))
	e := dive.OfTree(r, occurrences, pickSeed, dive.Limit{Dives: mostDives, Steps: steps, Least: leastDives})
	if e.Dives < leastDives || math.IsInf(e.Steps, 0) || math.IsNaN(e.Steps) {
		return nil
	}
	return &Guess{Nodes: e.Nodes, Seconds: e.Steps * each, Dives: e.Dives, spread: e.Spread}
}

// betterTree returns the rule whose tree takes less time, and the time, cautiously: with the
// standard error added twice. Among tiny trees it is lookahead. For formulas like random 3-SAT too,
// unless plain seems much better: their trees are so even that short dives see little difference.
func (c *chooser) betterTree() (rule string, seconds float64) {
	p, l := c.Plain.caution(), c.Lookahead.caution()
	if l <= p || l <= tinyTree || c.random && l <= 8*p {
		return lookaheadRule, l
	}
	return plainRule, p
}

// soundTree returns the better tree among trees with an estimate that is not vague, and its time. The time is
// infinite if both are vague.
func (c *chooser) soundTree() (rule string, seconds float64) {
	rule, seconds = c.betterTree()
	other := plainRule
	if rule == plainRule {
		other = lookaheadRule
	}
	switch {
	case !c.isVague(rule):
		return rule, seconds
	case !c.isVague(other):
		return other, c.guess(other).caution()
	}
	return rule, math.Inf(1)
}

// guess returns the estimate of a rule's tree, or nil.
func (c *chooser) guess(rule string) *Guess {
	if rule == lookaheadRule {
		return c.Lookahead
	}
	return c.Plain
}

// caution returns the time of a tree with the standard error added twice; without an estimate it
// is infinite.
func (g *Guess) caution() float64 {
	if g == nil {
		return math.Inf(1)
	}
	return g.Seconds * (1 + 2*g.spread)
}

// isVague reports whether the estimate of a rule's tree is missing, comes from few dives, or has a large error
// and does not come from many dives: then the error itself is uncertain.
func (c *chooser) isVague(rule string) bool {
	g := c.guess(rule)
	return g == nil || g.Dives < fewDives || g.spread > mostSpread && g.Dives < manyDives
}

// looksRandom reports whether all clauses have three literals, and there are about as many clauses
// per variable as in hard random formulas, or more.
func looksRandom(f *sat.Formula) bool {
	for _, clause := range f.Clauses() {
		if len(clause) != 3 {
			return false
		}
	}
	return 2*f.Len() >= 7*len(sat.VariableNamesOf(f))
}

// hasFewLengths reports whether the clauses have one or two lengths, each at least three.
func hasFewLengths(f *sat.Formula) bool {
	lengths := map[int]bool{}
	for _, clause := range f.Clauses() {
		lengths[len(clause)] = true
		if len(clause) < 3 || len(lengths) > 2 {
			return false
		}
	}
	return true
}
