package searchtest

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"treesplit/search"
	"treesplit/search/stack"
)

// road is a branch and bound search for testing the suite. It looks for the cheapest way of
// roadLength steps, each to one of three sides. Every way is a solution. Its value is the sum
// of the costs of its steps, which are computed by a hash.
type road struct {
	fault string
	told  int64 // the least received value
	value int64 // of best
	best  way
	any   bool // there is a best way
}

const (
	roadLength = 13
	roadStart  = 100 // the value with which all shares begin
	roadLeast  = 25
	roadNodes  = 823 // if roadLeast is known
)

// way is a node: the first steps, two bits each, and their cost.
type way struct {
	Steps, Taken uint32
	Cost         int64
}

func (r *road) bound() int64 {
	switch {
	case r.fault == "reports received values only":
		return r.told
	case r.fault == "reports found values only":
		return min(r.value, roadStart)
	}
	return min(r.told, r.value)
}

func (r *road) Root() way { return way{} }

func (r *road) Visit(w way) {
	least := r.bound()
	switch r.fault {
	case "keeps solutions that are no better":
		least = roadStart
	case "keeps the first":
		if r.any && w.Taken == roadLength && w.Cost < least {
			r.value = w.Cost
			return
		}
	}
	if w.Taken == roadLength && w.Cost < least {
		r.value, r.best, r.any = w.Cost, w, true
	}
}

func (r *road) Children(dst []way, w way) []way {
	least := r.bound()
	switch r.fault {
	case "prunes too much":
		least -= 3
	case "prunes by its own alone":
		least = min(r.value, roadStart)
	}
	if w.Taken == roadLength || w.atLeast() >= least {
		return dst
	}
	for side := range uint32(3) {
		child := way{w.Steps<<2 | side, w.Taken + 1, w.Cost + cost(w.Steps<<2|side, w.Taken)}
		if strings.HasPrefix(r.fault, "leaves out some children") && child.atLeast() >= least {
			continue
		}
		dst = append(dst, child)
	}
	return dst
}

// atLeast returns a lower bound of the cost of all ways that begin with w: a step costs at
// least 1.
func (w way) atLeast() int64 { return w.Cost + roadLength - int64(w.Taken) }

// cost returns the cost of a step: 1 to 8.
func cost(steps, taken uint32) int64 {
	hash := (steps + 1) * (2*taken + 3) * 2654435761
	return 1 + int64((hash^hash>>15)*2246822519>>29)
}

func (r *road) Check(w way) error {
	if again, err := follow(w.Steps, w.Taken); err != nil || again != w {
		return errors.New("the way does not exist")
	}
	return nil
}

// follow returns the way with these steps.
func follow(steps, taken uint32) (w way, err error) {
	if taken > roadLength || steps>>(2*taken) != 0 {
		return w, errors.New("the way is too long")
	}
	for i := taken; i > 0; i-- {
		side := steps >> (2 * (i - 1)) & 3
		if side > 2 {
			return w, errors.New("the side does not exist")
		}
		w = way{w.Steps<<2 | side, w.Taken + 1, w.Cost + cost(w.Steps<<2|side, w.Taken)}
	}
	return w, nil
}

// roadShare is a share of the search. Its faults are faults of a search.Optimiser.
type roadShare struct {
	*stack.Share[way]
	road *road
}

func newRoad(fault string, root bool) *roadShare {
	r := &road{fault: fault, told: roadStart, value: search.NoBound}
	if fault == "begins better with the root" && root {
		r.told--
	}
	if fault == "is one for all" {
		r = &common
	}
	return &roadShare{stack.New(r, search.Splitting{MinOpen: 1}, root), r}
}

// common is the state that the shares of one fault share.
var common = road{told: roadStart, value: search.NoBound}

func (s *roadShare) Bound() int64 { return s.road.bound() }

func (s *roadShare) Tighten(value int64) {
	switch {
	case s.road.fault == "is told nothing":
		return
	case s.road.fault == "takes worse values" && value != search.NoBound:
		s.road.told = value
	case s.road.fault == "expands when told":
		s.Share.Expand(1)
	case s.road.fault == "is empty when told" && value <= roadLeast && !s.Empty():
		s.Share.Pack(nil)
	case s.road.fault == "claims received values" && value < s.road.value && s.road.any:
		s.road.value = value
	}
	s.road.told = min(s.road.told, value)
}

// forget resets the share to its state before the first Tighten, if it has the fault.
func (s *roadShare) forget(fault string) {
	if s.road.fault == fault {
		s.road.told = roadStart
	}
}

func (s *roadShare) Accept(piece []byte) error {
	s.forget("forgets received values when it accepts")
	return s.Share.Accept(piece)
}

func (s *roadShare) Pack(dst []byte) []byte {
	s.forget("forgets received values when it is packed")
	return s.Share.Pack(dst)
}

func (s *roadShare) Bisect(k int, part uint64) (expanded, redundant int) {
	s.forget("forgets received values when it is bisected")
	return s.Share.Bisect(k, part)
}

func (s *roadShare) Split(dst []byte) ([]byte, bool) {
	if s.road.fault == "gives its solution away" {
		s.road.any, s.road.value = false, search.NoBound
	}
	return s.Share.Split(dst)
}

// roadOptimum returns the description for the suite. A witness is the steps, and for one fault
// also the value that the share claims.
func roadOptimum(fault string) Optimum {
	return Optimum{
		Least: roadLeast, Expanded: roadNodes,
		Witness: func(w search.Work) []byte {
			r := w.(*roadShare).road
			if !r.any || fault == "drops the best solution" && r.value == r.bound() {
				return nil
			}
			found := binary.LittleEndian.AppendUint32(nil, r.best.Steps)
			if fault == "claims received values" || fault == "believes its witness" {
				found = append(found, byte(r.value))
			}
			return found
		},
		Value: func(witness []byte) (int64, error) {
			switch {
			case fault == "believes its witness":
				return int64(witness[4]), nil
			case fault == "claims received values" && len(witness) == 5:
				return max(int64(witness[4]), roadLeast), nil
			}
			if fault != "panics on damage" && len(witness) != 4 {
				return 0, errors.New("expected 4 bytes")
			}
			w, err := follow(binary.LittleEndian.Uint32(witness), roadLength)
			return w.Cost, err
		},
	}
}

func roads(fault string) optimiser {
	share := func(root bool) func() search.Work { return func() search.Work { return newRoad(fault, root) } }
	o := roadOptimum(fault)
	if fault == "leaves out some children, and counts so" {
		w := newRoad(fault, true)
		w.Tighten(o.Least)
		o.Expanded = int64(w.Expand(1 << 30))
	}
	return optimiser{suite{share(true), share(false), o.Expanded}, o}
}

// cheapest returns the least value of a way, found by trying all ways, and the number of nodes
// of a search that knows this value.
func cheapest(w way, least int64) (value, nodes int64) {
	if w.Taken == roadLength {
		return w.Cost, 1
	}
	value, nodes = search.NoBound, 1
	for side := range uint32(3) {
		child := way{w.Steps<<2 | side, w.Taken + 1, w.Cost + cost(w.Steps<<2|side, w.Taken)}
		v, n := cheapest(child, least)
		if value = min(value, v); w.atLeast() < least {
			nodes += n
		}
	}
	return value, nodes
}

func TestRunPassesAGoodOptimiser(t *testing.T) {
	if value, nodes := cheapest(way{}, roadLeast); value != roadLeast || nodes != roadNodes {
		t.Fatalf("the least value is %d, with %d nodes", value, nodes)
	}
	s := roads("")
	RunOptimiser(t, s.newRoot, s.newEmpty, s.Optimum)
}

// Each broken optimiser must fail a check.
func TestChecksCatchFaultsOfOptimisers(t *testing.T) {
	for _, fault := range []string{
		"reports received values only", "reports found values only", "keeps solutions that are no better", "keeps the first", "prunes too much",
		"prunes by its own alone", "leaves out some children", "leaves out some children, and counts so", "begins better with the root", "is one for all", "is told nothing",
		"takes worse values", "expands when told", "is empty when told", "claims received values", "believes its witness",
		"forgets received values when it accepts", "forgets received values when it is packed", "forgets received values when it is bisected",
		"gives its solution away", "drops the best solution", "panics on damage",
	} {
		if by := firstFailed(roads(fault).listChecks()); by == "" {
			t.Errorf("no check caught the fault %q", fault)
		} else {
			t.Logf("%s: caught by %s", fault, by)
		}
	}
}
