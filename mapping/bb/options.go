package bb

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"treesplit/mapping"
)

// Options switch the optimisations of section 3.1, so that the effect of each can be measured.
// The zero value has all optimisations that keep the search exact. All shares of a run must have
// the same options.
type Options struct {
	Bound    Bound
	Order    Order
	Numbered bool // children in the order of the processors' numbers instead of the least bound first
	// Symmetric also searches equivalent processors: processors without an object and with the
	// same background load.
	Symmetric bool
	// Narrow discards a partial map whose bound is at most Narrow per cent below the best known
	// makespan (0 to 99). The result is at most 1/(1−Narrow/100) times the optimum.
	Narrow int
	// Upper is the makespan of a known map, or 0. The search looks only for better maps. Section
	// 3.1 takes the makespan of a greedy strategy; it is the "initial lower bound" of the text.
	Upper int64
	// Count prunes always by Upper, even after better maps are found. So the tree, and W, do not
	// depend on the order of the search.
	Count bool
}

// Bound is the lower bound by which partial maps are discarded.
type Bound uint8

const (
	// Admissible never exceeds the makespan of the best completion (bound.go).
	Admissible Bound = iota
	// Costliest is the largest cost so far, without an estimate of the future.
	Costliest
	// Printed adds the estimate minRemaining as section 3.1 prints it. It is not admissible: it
	// counts an object's computation once per neighbour. So the search can miss the optimum.
	Printed
)

// Order is the order in which objects are placed.
type Order uint8

const (
	// Heaviest places the object with the largest sum of its computation and its ends of all its
	// arcs next (section 3.1).
	Heaviest Order = iota
	// Costly orders by computation alone.
	Costly
	// Given is the order of the problem.
	Given
)

// None is the bound if no map is known.
const None = math.MaxInt64

func (o Options) checkOptions(p *mapping.Problem) error {
	switch {
	case o.Bound > Printed || o.Order > Given:
		return fmt.Errorf("the bound is %d and the order %d: expected 0 to %d and 0 to %d", o.Bound, o.Order, Printed, Given)
	case o.Narrow < 0 || o.Narrow > 99:
		return fmt.Errorf("the search is narrowed by %d per cent: expected 0 to 99", o.Narrow)
	case o.Upper < 0:
		return fmt.Errorf("the upper bound is %d ns: expected 0 or more", o.Upper)
	case p.Processors > maxCells/max(len(p.Objects), 1):
		return fmt.Errorf("%d objects on %d processors: expected a product of at most %d", len(p.Objects), p.Processors, maxCells)
	}
	return nil
}

// maxCells bounds the tables of a share to 400 MB. A table has one row of processors per object.
const maxCells = 1 << 23

// sortObjects sorts the objects to place. Equal objects stay in the problem's order.
func (o Order) sortObjects(in *Instance) {
	if o == Given {
		return
	}
	weight := make([]int64, len(in.problem.Objects))
	for i, object := range in.problem.Objects {
		weight[i] = object.Comp
		if o == Costly {
			continue
		}
		for _, l := range in.links[i] {
			weight[i] += l.mine
		}
		for _, g := range in.hears[i] {
			weight[i] += in.groups[g].receive
		}
		for _, g := range in.speaks[i] {
			weight[i] += in.groups[g].send
		}
	}
	slices.SortStableFunc(in.order, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
}
