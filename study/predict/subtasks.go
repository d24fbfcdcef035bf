package predict

import (
	"math"
	"math/bits"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/search"
	"treesplit/search/model"
)

// The schemes sl, ml, ra and ranade cut off subtasks at a depth (Kumar et al., section 6). Their
// model is a binary tree instead of work that is halved on request (model.Branching). Depths of a
// model are no depths of a tree, and the best depth depends on the ranks and the size. So for each
// size the model is cut at the best of several depths, as Kumar et al. tuned the cutoff depths of
// table 5.

// branchingWorkload returns the workload of a model for schemes that cut off subtasks.
func branchingWorkload(nodes int64, sigma float64) run.Workload {
	return run.Made(func(_ search.Splitting, root bool) search.Work {
		b, err := model.NewBranching(model.Halving{Nodes: nodes, Sigma: sigma, Law: model.Beta, Seed: 1}, root)
		if err != nil {
			panic(err) // the number of nodes is within the limits
		}
		return b
	})
}

// simulateModel simulates a scheme on a model. If the scheme cuts off subtasks, it does so at the
// best depth.
func (s *simulator) simulateModel(nodes int64, sigma float64, scheme string, ranks int) (Cell, error) {
	if !lb.CutsSubtasks(scheme) {
		return s.simulateCell(s.Plan, halvingWorkload(nodes, sigma), scheme, ranks)
	}
	return s.tryCutoffs(leastCutoff(ranks), 1, func(depth int) (Cell, error) {
		return s.simulateCutoff(nodes, sigma, scheme, ranks, depth)
	})
}

// simulateCutoff simulates a scheme that cuts a model at a depth.
func (s *simulator) simulateCutoff(nodes int64, sigma float64, scheme string, ranks, depth int) (Cell, error) {
	plan := s.Plan
	plan.Splitting.Cutoff = depth
	c, err := s.simulateCell(plan, branchingWorkload(nodes, sigma), scheme, ranks)
	c.Cutoff = depth
	return c, err
}

// leastCutoff returns the least depth that is tried: 2 subtasks per rank, if all subtrees above them
// have two subtrees.
func leastCutoff(ranks int) int { return bits.Len(uint(ranks-1)) + 1 }

// cutoffMisses is the number of depths without a better efficiency after which tryCutoffs stops. The
// efficiency rises and then falls with the depth, but not steadily.
const cutoffMisses = 4

// tryCutoffs returns the cell with the best efficiency over the depths from first on, or the first
// cell with the efficiency enough. Simulations except the first are added to wanted.
func (s *simulator) tryCutoffs(first int, enough float64, simulate func(depth int) (Cell, error)) (Cell, error) {
	best, err := simulate(first)
	misses := 0
	for depth := first + 1; err == nil && best.Efficiency < enough && misses < cutoffMisses; depth++ {
		s.wanted.Add(1)
		var c Cell
		if c, err = simulate(depth); c.Efficiency > best.Efficiency {
			best, misses = c, 0
		} else {
			misses++
		}
	}
	return best, err
}

// modelDepth returns the depth at which a model is cut into as many subtasks as a tree, whose cells
// under a scheme are given. It is computed from the number of pieces that ranks gave away: all
// subtasks under sl and ml; under ra and ranade the nodes down to the depth, of which a part stays
// on its rank.
func modelDepth(cells []Cell) int {
	depth := 1.0
	for _, c := range cells {
		if c.grants == 0 || c.Ranks == 1 {
			continue
		}
		switch pieces := float64(c.grants); c.Scheme {
		case "ra":
			depth = math.Log2(pieces/(1-1/float64(c.Ranks))+2) - 1
		case "ranade":
			depth = math.Log2(2*pieces+2) - 1
		default:
			depth = math.Log2(pieces)
		}
	}
	return max(1, int(math.Round(depth)))
}
