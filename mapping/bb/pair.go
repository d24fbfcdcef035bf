package bb

import (
	"math/rand/v2"
	"slices"

	"treesplit/mapping"
)

// Improver improves a map by branch and bound on the objects of two processors at a time.
//
// The paper does not have this property: without proxies, mapping the objects of some processors
// again among these processors does not change the cost of any other processor. It is a separate
// problem, in which the computation of an object includes its ends of the links to objects
// elsewhere. So every improvement of a pair of processors reduces the larger of their two costs
// and changes no other cost. Pairs without a common processor can be improved at the same time.
//
// With proxies the same is true for groups whose sender is on the pair, and for groups with one
// receiver on the pair. If the pair has several receivers of a sender elsewhere, each is charged
// its part, which is not exact. So the result is evaluated again, and kept only if the largest
// changed cost is less than before.
type Improver struct {
	in      *Instance
	where   mapping.Map
	cost    []int64
	on      [][]int32 // by processor: its objects, in no particular order
	place   []int32   // by object: its index in that list
	changed []int32   // by processor: number of changes of its objects
}

// Pair is two processors.
type Pair [2]int32

// Limits bound the search for a better map of a pair.
type Limits struct {
	Nodes   int // largest number of nodes to expand, about; 0: no limit
	Objects int // largest number of objects that may move, drawn at random; 0: all
}

// Change is the result of a search for a pair.
type Change struct {
	Pair  Pair
	Moves []int32 // objects that move to the other processor of the pair; none: no improvement found
	Ended bool    // no further improvement exists, as far as the reduced problem is exact
}

// NewImprover begins with a copy of a map. It returns an error if New does, except for the size,
// or if the map is not a map of the problem.
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

// CurrentMap returns the current map. It belongs to the Improver and changes with it.
func (v *Improver) CurrentMap() mapping.Map { return v.where }

// Makespan returns the makespan of the current map. O(P).
func (v *Improver) Makespan() int64 { return slices.Max(v.cost) }

// putOnProcessor notes that an object is on a processor now.
func (v *Improver) putOnProcessor(i, q int32) {
	v.where[i] = q
	v.place[i] = int32(len(v.on[q]))
	v.on[q] = append(v.on[q], i)
}

// takeOffProcessor removes an object from its processor.
func (v *Improver) takeOffProcessor(i int32) {
	list := v.on[v.where[i]]
	last := list[len(list)-1]
	list[v.place[i]], v.place[last] = last, v.place[i]
	v.on[v.where[i]] = list[:len(list)-1]
}

// SearchPair searches for a better map of a pair. It changes nothing. It draws from rng only if
// Limits.Objects is exceeded, so searches of several pairs may run at the same time. stop is
// called regularly and ends the search; nil: never.
func (v *Improver) SearchPair(pair Pair, l Limits, rng *rand.Rand, stop func() bool) Change {
	c := Change{Pair: pair}
	r := v.reducePair(pair, l.Objects, rng)
	upper := max(v.cost[pair[0]], v.cost[pair[1]])
	in, err := New(r.problem, Options{Upper: upper})
	if err != nil || upper == 0 { // sums of the parts are too large, or nothing can be improved
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

// ApplyChange makes a change if it improves the current map: the largest changed cost must be
// less than before. It returns false for a change that moves fixed objects or objects that are
// not on the pair. It takes O(P + objects and links of the pair) time, or the time of an
// evaluation if the problem has proxies.
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

// currentCosts returns the costs after a change that was made.
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
