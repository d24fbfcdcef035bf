package cubes

import (
	"math"
	"slices"

	"treesplit/sat"
)

// The choice of the cut by samples. Cuts with more and less look-ahead compete. Dives estimate what
// look-ahead above the anchors costs. Trials of anchors on the dives estimate the rest. First a few
// cuts get a few trials each. The cuts near the best one get more, until the trials have taken a small
// part of the estimated time. The cut with the least estimated time wins.
//
// Source: O. Zaikin, Inverting Cryptographic Hash Functions via Cube-and-Conquer, JAIR 81 (2024),
// which enumerates all cubes of a cut and tries 1000 of them. Here dives replace the enumeration
// (Knuth's weights), a trial is an anchor instead of a cube, and the number of trials adapts.

// Parameters of the choice.
const (
	gridFactor    = 2.0  // between the costs of look-ahead of two cuts
	startCubes    = 2000 // of the first cut that is tried
	fewCubes      = 64   // of the cut that searches the whole formula, and of a guess
	longTime      = 300  // seconds of a formula that needs many cubes
	stride        = 2    // between the cuts of the first round
	firstTrials   = 4
	firstLimit    = 1.0  // seconds of the first trials
	searchShare   = 0.03 // of the least time known that may pass before a trial is complete
	limitFactor   = 4.0  // between the limit of a trial and the time of an anchor of the best cut
	upShare       = 0.1  // of the remaining time, for the first trials of a cut with more look-ahead
	near          = 1.5  // with this multiple of the best time, a cut near the best one gets more trials
	trialShare    = 0.07 // of the estimated time that trials may take
	leastTrialing = 0.25 // seconds that trials may take
	mostTrialing  = 20.0
	mostFinding   = 6.0 // seconds that may pass before a trial is complete
	budgetFactor  = 8   // of the mean number of conflicts of a cube, for Options.Budget
	leastBudget   = 1000
)

// Sample is what the samples say about a cut.
type Sample struct {
	Cut     Cut
	Cubes   float64 // number of cubes
	Seconds float64 // of splitting and conquering, on a usual machine, one rank; 0: no estimate
	Tried   int     // number of anchors that were tried; 0 if the whole formula was
	Budget  int64   // a budget for cubes, in conflicts
}

// Choose returns the cut by a measure for which the estimated time is least. The same formula and measure
// give the same result on every machine and for any team, unless halted returns true and so ends the
// choice. halted may be nil. team may be nil: then this worker is alone. If the trials do not tell the
// time of a cut, the result has no time.
func Choose(f *sat.Formula, m Measure, team Team, halted func() bool) Sample {
	return ChooseWithin(f, m, math.Inf(1), team, halted)
}

// ChooseWithin is Choose for a caller who searches by the cut only if the estimated time is at most a number of
// seconds. If it is more, the trials end early, and the cut may not be the best one.
func ChooseWithin(f *sat.Formula, m Measure, seconds float64, team Team, halted func() bool) Sample {
	s := newSampler(f, m, halted)
	s.useful = seconds
	if team != nil {
		s.team = team
	}
	race := s.enterAll()
	if len(race) == 0 { // the root is a leaf, or its children are
		return Sample{Cut: Cut{Measure: m}, Budget: DefaultBudget}
	}
	if limit := wholeLimit(race); limit > 0 {
		if one, complete := s.tryWhole(race, min(limit, s.useful)); complete {
			return one
		}
	}
	if best := s.pickWinner(race); best != nil && best.isKnown() {
		best.cut = s.growAnchors(best.cut, best.cubes)
		return best.sample()
	}
	e := race[s.guess(race)]
	return Sample{Cut: e.cut, Cubes: e.cubes, Tried: e.tried, Budget: DefaultBudget}
}

// guess returns the index of a cut if the trials do not tell the best one. A formula that takes long needs many
// cubes. For others the solver may need as much time for a cube as for the formula, so that few cubes are
// better; if they exceed their budgets, there will be more.
func (s *sampler) guess(race []*entrant) int {
	if start := startOf(race, startCubes); race[start].seconds() > longTime {
		return start
	}
	return startOf(race, fewCubes)
}

// startOf returns the index of the first cut with at least a number of cubes, or else of the last one.
func startOf(race []*entrant, cubes float64) int {
	i := slices.IndexFunc(race, func(e *entrant) bool { return e.cubes >= cubes })
	if i < 0 {
		return len(race) - 1
	}
	return i
}

// WithAnchor returns a cut with an anchor that has about anchorSize cubes, and the estimated number
// of cubes. Once halted returns true, the estimates become rough. halted may be nil.
func WithAnchor(f *sat.Formula, c Cut, halted func() bool) (Cut, float64) {
	s := newSampler(f, c.Measure, halted)
	cubes := s.dives.countNodes(c.Cube)
	return s.growAnchors(c, cubes), cubes
}

// sampler is a choice in progress.
type sampler struct {
	rule    *Rule
	measure Measure
	walk    *walk // at the root
	branch  int32 // of look-ahead at the root
	dives   dives // nil if the root is a leaf
	spent   float64
	useful  float64     // seconds above which it does not matter how long the search takes
	team    Team        // makes trials together with this worker
	halted  func() bool // ends the choice; or nil
	over    bool        // halted has returned true
}

// newSampler returns a sampler with dives, on one worker.
func newSampler(f *sat.Formula, m Measure, halted func() bool) *sampler {
	s := beginSampler(f, m, halted)
	s.dives = s.makeDives()
	return s
}

// beginSampler returns a sampler at the root.
func beginSampler(f *sat.Formula, m Measure, halted func() bool) *sampler {
	s := &sampler{rule: New(f, Options{}), measure: m, branch: sat.NoLiteral, useful: math.Inf(1), team: alone{}, halted: halted}
	s.useCut(Cut{m, math.Inf(1), math.Inf(1)})
	s.walk = s.rule.Begin().(*walk)
	if branch, outcome := s.walk.Visit(sat.NoLiteral, nil); outcome == sat.Inner {
		s.branch = branch
	}
	return s
}

// isRootLeaf reports whether the root is a leaf.
func (s *sampler) isRootLeaf() bool { return s.branch == sat.NoLiteral }

// isHalted reports whether the choice must end.
func (s *sampler) isHalted() bool {
	if !s.over && s.halted != nil {
		s.over = s.halted()
	}
	return s.over
}

// useCut makes a cut the cut of the walk.
func (s *sampler) useCut(c Cut) { s.rule.options = Options{Cut: c, Budget: math.MaxInt64 >> 32} }

// grid returns the cuts that compete, beginning with the one with the least look-ahead.
func (s *sampler) grid() (cuts []float64) {
	least := 0.0
	for _, x := range s.dives.values() {
		if steps := s.dives.countSteps(x); steps > least && s.dives.countNodes(x) > 0 {
			cuts = append(cuts, x)
			least = steps * gridFactor
		}
	}
	return cuts
}

// anchorOf returns the measure of anchors with about size cubes of a cut.
func (s *sampler) anchorOf(cube, size float64) (anchor float64) {
	most := s.dives.countNodes(cube) / size
	for i, x := range s.dives.values() {
		if i == 0 || x <= cube && s.dives.countNodes(x) <= most {
			anchor = x
		}
	}
	return min(anchor, cube)
}

// entrant is a cut that competes.
type entrant struct {
	cut     Cut
	cubes   float64 // estimated number
	anchors float64 // estimated number
	above   float64 // seconds of look-ahead above the anchors
	least   float64 // seconds of look-ahead above the cubes
	next    int     // dive of the next trial

	tried     int
	complete  bool    // the last trial was
	weight    float64 // of the trials: the number of anchors for which they stand
	tries     float64 // seconds of the trials, times their weights
	conflicts int64
	conquered int64 // cubes
}

// enter makes a cut an entrant.
func (s *sampler) enter(x float64) *entrant {
	c := Cut{s.measure, s.anchorOf(x, cubesOfAnchor), x}
	return &entrant{
		cut: c, cubes: s.dives.countNodes(x), anchors: s.dives.countNodes(c.Anchor),
		above: s.dives.countSteps(c.Anchor) * LookStep, least: s.dives.countSteps(x) * LookStep,
	}
}

// enterAll returns the cuts that compete as entrants, in the order of grid.
func (s *sampler) enterAll() (race []*entrant) {
	for _, x := range s.grid() {
		race = append(race, s.enter(x))
	}
	return race
}

// isKnown reports whether the trials tell the time of the cut. A single trial that is incomplete is only a
// bound.
func (e *entrant) isKnown() bool { return e.complete || e.tried > 1 }

// seconds returns the estimated time.
func (e *entrant) seconds() float64 { return e.above + e.anchors*e.tries/e.weight }

// sample returns what the samples say.
func (e *entrant) sample() Sample {
	budget := max(leastBudget, budgetFactor*e.conflicts/max(e.conquered, 1))
	return Sample{Cut: e.cut, Cubes: e.cubes, Seconds: e.seconds(), Tried: e.tried, Budget: budget}
}

// pickWinner makes trials and returns the entrant with the least time. It begins at a cut with about
// startCubes cubes. Then it goes to more look-ahead, as long as that is not much worse, and to less, as long
// as that is better. Then the neighbours of the best cut compete with it. It returns nil if no cut has
// trials that are complete.
func (s *sampler) pickWinner(race []*entrant) *entrant {
	best := s.findComplete(race)
	if best < 0 {
		return nil
	}
	best = s.goUp(race, best)
	best = s.goDown(race, best)
	for trials := firstTrials; trials <= mostDives; trials *= 2 {
		best = s.refine(race, best, trials)
	}
	return race[best]
}

// goUp makes trials of cuts with more look-ahead than the best one, and returns the index of the best cut. Their
// trials are shorter, so there are more of them. goUp goes on past a cut that is a little
// worse, but a cut with a single incomplete trial is not the best one.
func (s *sampler) goUp(race []*entrant, best int) int {
	for i := best + stride; i < len(race) && s.isWorthTrying(race[i], race[best]); i += stride {
		e := race[i]
		s.tryMore(e, mostDives, max(s.limit(e, race[best]), upShare*s.remaining(race[best])))
		if e.tried == 0 || e.seconds() >= near*race[best].seconds() {
			break
		}
		if e.isKnown() && e.seconds() < race[best].seconds() {
			best = i
		}
	}
	return best
}

// goDown makes trials of cuts with less look-ahead than the best one, and returns the index of the best cut.
func (s *sampler) goDown(race []*entrant, best int) int {
	for i := best - stride; i >= 0 && s.isWorthTrying(race[i], race[best]); i -= stride {
		s.tryMore(race[i], firstTrials, s.limit(race[i], race[best]))
		if race[i].tried == 0 || race[i].seconds() >= race[best].seconds() {
			break
		}
		best = i
	}
	return best
}

// findComplete makes trials, from the first cut with about startCubes cubes on towards more look-ahead, and
// with larger and larger limits, until the trials of a cut are complete. It returns the index of the cut, or
// -1 if the limits would take too large a part of the least estimated time. It leaves out cuts whose
// look-ahead alone takes that time, except for the first cut, so that each limit has a trial.
func (s *sampler) findComplete(race []*entrant) int {
	start, least := startOf(race, startCubes), math.Inf(1)
	for limit := firstLimit; ; limit *= 2 {
		for i := start; i < len(race) && (i == start || race[i].least < least); i += stride {
			e := race[i]
			*e = *s.enter(e.cut.Cube)
			s.tryMore(e, firstTrials, limit)
			if e.complete {
				return i
			}
			least = min(least, e.seconds())
			if s.isHalted() || s.spent > min(max(searchShare*min(least, s.useful), firstLimit), mostFinding) {
				return -1
			}
		}
	}
}

// refine makes trials for the neighbours of the best cut, and returns the index of the best cut.
func (s *sampler) refine(race []*entrant, best, trials int) int {
	from, to := max(best-stride, 0), min(best+stride, len(race)-1)
	for i := from; i <= to; i++ {
		e := race[i]
		if s.isWorthTrying(e, race[best]) && (e.tried == 0 || e.seconds() <= near*race[best].seconds()) {
			s.tryMore(e, trials, s.limit(e, race[best]))
		}
	}
	for i := from; i <= to; i++ {
		if 2*race[i].tried >= race[best].tried && race[i].seconds() < race[best].seconds() {
			best = i
		}
	}
	return best
}

// isWorthTrying reports whether there is time for trials of a cut that can be better than the best one.
func (s *sampler) isWorthTrying(e, best *entrant) bool {
	return s.remaining(best) > 0 && e.least < best.seconds() && !s.isHalted()
}

// remaining returns the seconds that remain for trials.
func (s *sampler) remaining(best *entrant) float64 {
	return min(max(trialShare*min(best.seconds(), s.useful), leastTrialing), mostTrialing) - s.spent
}

// limit returns the limit of a trial in seconds.
func (s *sampler) limit(e, best *entrant) float64 {
	return min(limitFactor*best.seconds()/e.anchors, max(s.remaining(best), leastTrialing))
}

// add adds a trial of an anchor that stands for a number of anchors. An incomplete trial counts as
// one that takes twice as long.
func (e *entrant) add(t trial, weight float64) {
	seconds := t.seconds()
	if !t.complete {
		seconds *= 2
	}
	e.complete = t.complete
	e.tried++
	e.weight += weight
	e.tries += float64(seconds * weight) // rounded: no fused multiplication and addition
	e.conflicts += t.conflicts
	e.conquered += max(t.cubes, 1)
}
