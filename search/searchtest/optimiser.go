package searchtest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/search"
)

// Optimum describes a search for a solution of the least value for RunOptimiser.
type Optimum struct {
	Least    int64 // the least value of a solution
	Expanded int64 // nodes of the search if Least is known from the beginning, so that no solution is better
	// Witness returns the best solution that a share has found itself, or nil. Value returns
	// the value of such a solution, or an error for invalid bytes. They are the methods of a
	// run.Optimising.
	Witness func(w search.Work) []byte
	Value   func(witness []byte) (int64, error)
	// Fixed returns shares that know Least from the beginning. If it is nil, RunOptimiser uses
	// the shares of newRoot and newEmpty and calls Tighten.
	Fixed func(root bool) search.Work
}

// RunOptimiser checks the contract of search.Optimiser, and everything that Run checks.
//
// If the bound is fixed at the least value, a search expands the same nodes for any splits. So
// RunOptimiser calls Run for shares that know this value, on a tree of o.Expanded nodes. Count
// these nodes independently, preferably by a plain recursion.
//
// If the bound is not fixed, shares that find solutions and receive some values from other
// shares, early or late, must find the optimum. At any time the Bound of a share must be the
// least of the value with which it began, the values that it has received, and the value of
// its own solution.
func RunOptimiser(t *testing.T, newRoot, newEmpty func() search.Work, o Optimum) {
	t.Helper()
	s := optimiser{suite{newRoot, newEmpty, o.Expanded}, o}
	for _, c := range s.listChecks() {
		passed := t.Run(c.name, func(t *testing.T) {
			if err := c.check(); err != nil {
				t.Error(err)
			}
		})
		if !passed {
			return
		}
	}
}

// optimiser is a search for an optimum under test.
type optimiser struct {
	suite
	Optimum
}

// fixedSuite returns the suite of shares that know the least value from the beginning.
func (s optimiser) fixedSuite() suite {
	share := s.Fixed
	if share == nil {
		share = func(root bool) search.Work {
			w := s.newEmpty()
			if root {
				w = s.newRoot()
			}
			search.TightenTo(w, s.Least)
			return w
		}
	}
	return suite{func() search.Work { return share(true) }, func() search.Work { return share(false) }, s.Expanded}
}

// listChecks returns the checks of the contract. Checks in which shares exchange work without
// a limit on the nodes come last, after the checks of single shares.
func (s optimiser) listChecks() []check {
	return slices.Concat(
		[]check{{"Begin", s.checkBegin}, {"Told", s.checkTold}, {"Alone", s.checkAlone}, {"Witnesses", s.checkWitnesses}},
		s.fixedSuite().listChecks(),
		[]check{{"Together", s.checkTogether}, {"PartsStay", s.partsStay}, {"PartsTogether", s.partsTogether}},
	)
}

// checkBegin checks that all shares begin with the same bound, which is above the least value.
func (s optimiser) checkBegin() error {
	for _, w := range []search.Work{s.newRoot(), s.newEmpty()} {
		if _, ok := search.As[search.Optimiser](w); !ok {
			return fmt.Errorf("%T is no search.Optimiser", w)
		}
	}
	root, empty := search.BoundOf(s.newRoot()), search.BoundOf(s.newEmpty())
	if root != empty || root <= s.Least {
		return fmt.Errorf("a share of the whole tree begins with the bound %d, an empty one with %d: expected equal bounds above %d", root, empty, s.Least)
	}
	return nil
}

// checkTold checks that a share takes values from Tighten, ignores values no better than its
// bound, and changes in no other way.
func (s optimiser) checkTold() error {
	for _, w := range []search.Work{s.newRoot(), s.newEmpty()} {
		p := s.newPlayer(w)
		before, empty := measuredSize(w), w.Empty()
		for _, v := range []int64{search.NoBound, s.Least + 1, s.Least + 2, s.Least + 1, s.Least, search.NoBound} {
			if err := p.tellValue(v); err != nil {
				return err
			}
		}
		if w.Empty() != empty || measuredSize(w) != before {
			return fmt.Errorf("method Tighten changed a share with weight and nodes %v, empty %v, to %v, empty %v", before, empty, measuredSize(w), w.Empty())
		}
	}
	return nil
}

// checkAlone checks that a single share finds the least value without help.
func (s optimiser) checkAlone() error {
	p := s.newPlayer(s.newRoot())
	for !p.Empty() {
		if p.Expand(1000) <= 0 {
			return errors.New("a share expands nothing and is not empty")
		}
		if err := p.checkBound(); err != nil {
			return err
		}
	}
	return s.checkLeastFound([]*player{p})
}

// checkTogether checks that several shares find the least value. They search in a random
// order, give each other work in every possible way, and receive each other's values late.
func (s optimiser) checkTogether() error {
	for seed := range s.schedules(10, 30) {
		rng := rand.New(rand.NewPCG(10, uint64(seed)))
		players := []*player{s.newPlayer(s.newRoot())}
		for range 1 + rng.IntN(5) {
			players = append(players, s.newPlayer(s.newEmpty()))
		}
		if err := s.playTogether(rng, players, 1+rng.IntN(60)); err != nil {
			return fmt.Errorf("schedule %d fails: %w", seed, err)
		}
	}
	return nil
}

// partsStay checks, for a Bisecter, that a share that knows a value finds the same part as a
// share that knows none, or no node. The known value must not determine where one part ends
// and the next begins, because shares with different values compute their parts independently.
func (s optimiser) partsStay() error {
	if !s.canBisectWork() {
		return nil
	}
	rng := rand.New(rand.NewPCG(12, uint64(s.wantW)))
	for range 2000 {
		k := 1 + rng.IntN(16)
		part := rng.Uint64N(1 << k)
		without, knowing := s.newEmpty(), s.newEmpty()
		search.TightenTo(knowing, s.Least)
		expanded, redundant := asCapability[search.Bisecter](without).Bisect(k, part)
		own, others := asCapability[search.Bisecter](knowing).Bisect(k, part)
		if own+others > expanded+redundant || !knowing.Empty() && (own != expanded || others != redundant) {
			return fmt.Errorf("the way to part %d of 2^%d has %d nodes of its own and %d of others, but %d and %d if the value %d is known: "+
				"expected the same way, or its beginning up to a node without children", part, k, expanded, redundant, own, others, s.Least)
		}
	}
	return nil
}

// partsTogether checks, for a Bisecter, that the parts together find the least value, if
// shares without a known value search some of them and shares that know nearly the least value
// search the others.
func (s optimiser) partsTogether() error {
	if !s.canBisectWork() {
		return nil
	}
	for seed := range s.schedules(5, 20) {
		rng := rand.New(rand.NewPCG(11, uint64(seed)))
		k := 1 + rng.IntN(7)
		var players []*player
		for part := range uint64(1) << k {
			p := s.newPlayer(s.newEmpty())
			players = append(players, p)
			if rng.IntN(2) == 0 {
				if err := p.tellValue(s.Least + 1); err != nil {
					return err
				}
			}
			asCapability[search.Bisecter](p.Work).Bisect(k, part)
			drainShare(p.Work, math.MaxInt64-1)
			if err := p.checkBound(); err != nil {
				return err
			}
		}
		if err := s.checkLeastFound(players); err != nil {
			return fmt.Errorf("schedule %d with 2^%d parts fails: %w", seed, k, err)
		}
	}
	return nil
}

// playTogether lets shares search until they are empty.
func (s optimiser) playTogether(rng *rand.Rand, players []*player, quantum int) error {
	for busy := true; busy; {
		p, from := players[rng.IntN(len(players))], players[rng.IntN(len(players))]
		switch {
		case rng.IntN(8) == 0:
			if err := p.tellValue(asCapability[search.Optimiser](from.Work).Bound()); err != nil {
				return err
			}
		case p.Empty() && !from.Empty() && p != from:
			if _, _, err := givePiece(rng, from.Work, p.Work, new(unsettledMoves)); err != nil {
				return err
			}
		default:
			p.Expand(1 + rng.IntN(quantum))
		}
		busy = false
		for _, other := range players {
			if other != p && other != from {
				if err := other.unchanged(); err != nil {
					return err
				}
			} else if err := other.checkBound(); err != nil {
				return err
			}
			busy = busy || !other.Empty()
		}
	}
	return s.checkLeastFound(players)
}

// checkLeastFound checks that a share has found the least value with a solution, and that no
// other share claims that solution after Tighten.
func (s optimiser) checkLeastFound(players []*player) error {
	bound, value := int64(search.NoBound), int64(search.NoBound)
	for _, p := range players {
		bound, value = min(bound, p.bound), min(value, p.value)
	}
	switch {
	case bound < s.Least || value < s.Least:
		return fmt.Errorf("the shares know the value %d and a solution of value %d: expected no value below %d", bound, value, s.Least)
	case bound > s.Least || value > s.Least:
		return fmt.Errorf("the least known value is %d, and the best solution has the value %d: expected %d", bound, value, s.Least)
	}
	for _, p := range players {
		if err := p.tellValue(s.Least); err != nil {
			return err
		}
	}
	return nil
}

// player is a share with the values that determine its bound.
type player struct {
	search.Work
	of    *optimiser
	told  int64 // the least value with which it began or which it received
	bound int64 // at the last check
	value int64 // of its solution, at the last check
}

func (s optimiser) newPlayer(w search.Work) *player {
	bound := search.BoundOf(w)
	return &player{w, &s, bound, bound, search.NoBound}
}

// solutionValue returns the value of the share's solution, or search.NoBound if it has none.
func (p *player) solutionValue() (int64, error) {
	found := p.of.Witness(p.Work)
	if found == nil {
		return search.NoBound, nil
	}
	value, err := p.of.Value(found)
	if err == nil && value == search.NoBound {
		err = errors.New("its value is search.NoBound")
	}
	if err != nil {
		return 0, fmt.Errorf("the solution of a share is invalid: %w", err)
	}
	return value, nil
}

// checkBound checks a share that has expanded nodes, given nodes away or accepted some.
func (p *player) checkBound() error {
	value, err := p.solutionValue()
	if err != nil {
		return err
	}
	bound := search.BoundOf(p.Work)
	if want := min(p.told, value); bound != want {
		return fmt.Errorf("a share with the least received value %d and a solution of value %d has the Bound %d: expected %d", p.told, value, bound, want)
	}
	if bound > p.bound {
		return fmt.Errorf("the Bound of a share rose from %d to %d", p.bound, bound)
	}
	p.bound, p.value = bound, value
	return nil
}

// tellValue passes a value to a share. The share may then discard its own solution if that is
// worse, but must not have a different one.
func (p *player) tellValue(v int64) error {
	search.TightenTo(p.Work, v)
	p.told = min(p.told, v)
	value, err := p.solutionValue()
	if err != nil {
		return err
	}
	if value != p.value && !(value == search.NoBound && p.value > v) {
		return fmt.Errorf("a share with a solution of value %d claims one of %d after Tighten(%d)", p.value, value, v)
	}
	return p.checkBound()
}

// unchanged checks that operations on other shares do not change this one.
func (p *player) unchanged() error {
	if bound := search.BoundOf(p.Work); bound != p.bound {
		return fmt.Errorf("the Bound of a share changed from %d to %d while other shares worked: each share needs its own bound", p.bound, bound)
	}
	return nil
}

// checkWitnesses checks that Value returns an error or another value for damaged solutions,
// without a panic and without changing their bytes.
func (s optimiser) checkWitnesses() error {
	p := s.newPlayer(s.newRoot())
	drainShare(p.Work, math.MaxInt64-1)
	found := p.of.Witness(p.Work)
	for _, bad := range append(pieceMutants(append([]byte{0}, found...), 1), nil, []byte{}) {
		before := bytes.Clone(bad)
		if value, err := s.Value(bad); err == nil && value < s.Least {
			return fmt.Errorf("a damaged solution %x has the value %d: expected an error, or at least %d", bad, value, s.Least)
		}
		if !bytes.Equal(bad, before) {
			return fmt.Errorf("function Value changed the solution %x", before)
		}
	}
	if value, err := s.Value(found); err != nil || value != s.Least {
		return fmt.Errorf("the value of the best solution is %d, error %v: expected %d", value, err, s.Least)
	}
	return nil
}
