package bb

import (
	"math/rand/v2"
	"slices"

	"treesplit/mapping"
)

// Improver improves a map by branch and bound on the objects of two processors at a time.
//
// What makes this work is not in the paper: without proxies, to map the objects of some
// processors again among these leaves the cost of every other processor as it is, and is a
// problem of its own, in which an object's computation has its ends of the links to
// objects elsewhere added. So every improvement of a pair of processors makes the larger
// of their two costs less and changes no other, and pairs that have no processor in
// common can be improved side by side.
//
// With proxies the same holds for groups whose sender is on the pair, and for those of
// which it holds one receiver. Where it holds several of a sender elsewhere, each is
// charged its part, which is not exact: so what comes of it is added up again, and kept
// only if the largest cost that changes is less than before.
type Improver struct {
	in      *Instance
	where   mapping.Map
	cost    []int64
	on      [][]int32 // by processor: the objects on it, in no particular order
	place   []int32   // by object: where in that list it stands
	changed []int32   // by processor: how often its objects have changed
}

// Pair is two processors.
type Pair [2]int32

// Limits bound the search for a better map of a pair.
type Limits struct {
	Nodes   int // to be expanded at most, about; 0: no limit
	Objects int // that may move at most, drawn at random; 0: all
}

// Change is what a search has found for a pair.
type Change struct {
	Pair  Pair
	Moves []int32 // the objects that go to the other processor of the pair; none: nothing better was found
	Ended bool    // nothing better is to be found after it, as far as the reduced problem is exact
}

// NewImprover begins with a map, of which it keeps a copy. It refuses what New refuses,
// except for the size, and a map that is not one of the problem.
func NewImprover(p *mapping.Problem, m mapping.Map) (*Improver, error) {
	in, err := prepareInstance(p)
	if err != nil {
		return nil, err
	}
	if err := p.CheckMap(m); err != nil {
		return nil, err
	}
	v := &Improver{
		in: in, where: slices.Clone(m), cost: p.EvaluateMap(m).Cost,
		on: make([][]int32, p.Processors), place: make([]int32, len(m)), changed: make([]int32, p.Processors),
	}
	for i, q := range m {
		v.putOnProcessor(int32(i), q)
	}
	return v, nil
}

// CurrentMap returns the map as it is now. It belongs to the Improver and changes with it.
func (v *Improver) CurrentMap() mapping.Map { return v.where }

// Makespan is that of the map. O(P).
func (v *Improver) Makespan() int64 { return slices.Max(v.cost) }

// putOnProcessor notes that an object is on a processor now.
func (v *Improver) putOnProcessor(i, q int32) {
	v.where[i] = q
	v.place[i] = int32(len(v.on[q]))
	v.on[q] = append(v.on[q], i)
}

// takeOffProcessor takes it away.
func (v *Improver) takeOffProcessor(i int32) {
	list := v.on[v.where[i]]
	last := list[len(list)-1]
	list[v.place[i]], v.place[last] = last, v.place[i]
	v.on[v.where[i]] = list[:len(list)-1]
}

// SearchPair looks for a better map of a pair. It changes nothing, and draws from rng alone
// and only where Limits.Objects is exceeded: so searches of several pairs may run side by
// side. stop is asked now and then whether it is enough; nil: never.
func (v *Improver) SearchPair(pair Pair, l Limits, rng *rand.Rand, stop func() bool) Change {
	c := Change{Pair: pair}
	r := v.reducePair(pair, l.Objects, rng)
	upper := max(v.cost[pair[0]], v.cost[pair[1]])
	in, err := New(r.problem, Options{Upper: upper})
	if err != nil || upper == 0 { // the parts of sums too large, or nothing to be improved
		c.Ended = true
		return c
	}
	s := in.NewSearch(splitting, true)
	for !s.Empty() && (l.Nodes == 0 || int(s.counts.Expanded) < l.Nodes) && (stop == nil || !stop()) {
		s.Expand(in.NodesPerLook())
	}
	c.Ended = s.Empty() && r.whole
	if s.value == None {
		return c
	}
	for k, i := range r.objects {
		if pair[s.best[k]] != v.where[i] {
			c.Moves = append(c.Moves, i)
		}
	}
	return c
}

// ApplyChange makes a change, if it is an improvement of the map as it is now: the largest of
// the costs that it changes must be less than before. It refuses a change that moves
// objects which are not on the pair, or fixed. O(P + objects and links of the pair) time, or
// that of an evaluation where the problem has proxies.
func (v *Improver) ApplyChange(c Change) (better bool) {
	for _, i := range c.Moves {
		if i < 0 || int(i) >= len(v.where) || v.in.problem.Objects[i].Fixed || !slices.Contains(c.Pair[:], v.where[i]) {
			return false
		}
	}
	if len(c.Moves) == 0 {
		return false
	}
	v.flipObjects(c)
	cost := v.currentCosts(c)
	before, after := int64(0), int64(0)
	for q, ns := range cost {
		if ns != v.cost[q] {
			before, after = max(before, v.cost[q]), max(after, ns)
		}
	}
	if after >= before {
		v.flipObjects(c)
		return false
	}
	v.cost = cost
	v.changed[c.Pair[0]]++
	v.changed[c.Pair[1]]++
	return true
}

// flipObjects moves the objects of a change to the other processor of the pair.
func (v *Improver) flipObjects(c Change) {
	for _, i := range c.Moves {
		to := c.Pair[0]
		if v.where[i] == to {
			to = c.Pair[1]
		}
		v.takeOffProcessor(i)
		v.putOnProcessor(i, to)
	}
}

// currentCosts are those of the map as it is.
func (v *Improver) currentCosts(c Change) []int64 {
	if len(v.in.groups) > 0 {
		return v.in.problem.EvaluateMap(v.where).Cost
	}
	cost := slices.Clone(v.cost)
	for _, q := range c.Pair {
		cost[q] = v.in.background(q)
		for _, i := range v.on[q] {
			cost[q] += v.in.problem.Objects[i].Comp
			for _, l := range v.in.links[i] {
				if v.where[l.other] != q {
					cost[q] += l.mine
				}
			}
		}
	}
	return cost
}
