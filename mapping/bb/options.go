package bb

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"treesplit/mapping"
)

// Options switch the optimisations of section 3.1, so that each can be shown to pay. The
// zero value has all of them that keep the search exact. All shares of a run must have
// the same.
type Options struct {
	Bound    Bound
	Order    Order
	Numbered bool // children in the order of the processors' numbers, not the least bound first
	// Symmetric goes through processors that no search can tell apart too: those
	// without an object and with the same background load.
	Symmetric bool
	// Narrow gives up a partial map whose bound is so many per cent below the best
	// known or less (0 to 99): the result is at most 1/(1−Narrow/100) times the optimum.
	Narrow int
	// Upper is the makespan of a map that is known, or 0 for none: only better ones are
	// looked for. Section 3.1 takes that of a greedy strategy. The text's "initial
	// lower bound" means this.
	Upper int64
	// Count prunes by Upper throughout, whatever better maps are met, so that the tree,
	// and with it W, does not depend on the order of the search.
	Count bool
}

// Bound is the lower bound by which partial maps are given up.
type Bound uint8

const (
	// Admissible is never above the best completion (bound.go).
	Admissible Bound = iota
	// Costliest is the largest cost so far: no estimate of the future.
	Costliest
	// Printed adds the estimate minRemaining as section 3.1 prints it. It is not
	// admissible: it counts an object's computation once for each of its neighbours,
	// so that the search can miss the optimum.
	Printed
)

// Order is the order in which objects are placed.
type Order uint8

const (
	// Heaviest places next the object with the most to it: its computation and its ends
	// of all its arcs (section 3.1).
	Heaviest Order = iota
	// Costly goes by computation alone.
	Costly
	// Given is the order of the problem.
	Given
)

// None is a bound without a map.
const None = math.MaxInt64

func (o Options) checkOptions(p *mapping.Problem) error {
	switch {
	case o.Bound > Printed || o.Order > Given:
		return fmt.Errorf("bound %d and order %d: expected 0 to %d and 0 to %d", o.Bound, o.Order, Printed, Given)
	case o.Narrow < 0 || o.Narrow > 99:
		return fmt.Errorf("narrowed by %d per cent: expected 0 to 99", o.Narrow)
	case o.Upper < 0:
		return fmt.Errorf("an upper bound of %d ns: expected 0 or more", o.Upper)
	case p.Processors > maxCells/max(len(p.Objects), 1):
		return fmt.Errorf("%d objects on %d processors: expected a product of at most %d", len(p.Objects), p.Processors, maxCells)
	}
	return nil
}

// maxCells bounds the tables of a share, which have a row of processors for each object:
// to 400 MB.
const maxCells = 1 << 23

// sortObjects sorts the objects that are to be placed. Equal ones stay in the problem's order.
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
