package chaos

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"treesplit/internal/explore"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/search/replay"
)

// tree is the tree to search, with the answer of the plain search.
type tree struct {
	name    string
	share   func(split search.Splitting, root bool) search.Work
	blind   func() search.Work // returns an empty share that knows no witness
	nodes   int64
	witness bool  // the tree has a witness, so that a search ends at the first one
	least   int64 // the least value of a node if nodes have values, otherwise search.NoBound
}

// mostNodes limits the size of trees, so that a run takes about a millisecond.
const mostNodes = 1500

// drawRandomTree draws a tree of up to mostNodes nodes.
func drawRandomTree(r *rand.Rand) tree {
	switch n := r.IntN(20); {
	case n < 10:
		return drawToyTree(r)
	case n < 16:
		return drawReplay(r)
	case n < 18:
		return drawBinary(r)
	case n < 19:
		return drawCombTree(r)
	}
	nodes := 1 + r.Int64N(mostNodes)
	s := model.Splitting{Alpha: 0.05 + float64(0.45*r.Float64()), Least: 2 + r.Int64N(5), Seed: r.Uint64()}
	return modelTree(fmt.Sprintf("divisible work of %d nodes, %+v", nodes, s), nodes, func(root bool) (search.Work, error) {
		if !root {
			return model.New(0, s), nil
		}
		return model.New(nodes, s), nil
	})
}

// drawShape draws the shape of a toy tree. Some small trees are kept, because ranks have the least
// to share there.
func drawShape(r *rand.Rand) (explore.Shape, int64) {
	for tiny := r.IntN(16) == 0; ; {
		s := explore.Shape{Seed: r.Uint64(), Depth: 1 + r.IntN(10), Width: 2 + r.IntN(5)}
		n := int64(explore.NewToy(s, true).Expand(mostNodes + 1))
		if n <= mostNodes && (n >= 40 || tiny) {
			return s, n
		}
	}
}

// drawToyTree draws a tree with all optional interfaces, which may have witnesses and values.
func drawToyTree(r *rand.Rand) tree {
	s, n := drawShape(r)
	s.Values = r.IntN(2) == 0
	if r.IntN(3) == 0 {
		s.Find = 5 + r.Uint64N(2*mostNodes)
	}
	w := explore.NewToy(s, true)
	w.Expand(mostNodes)
	plain := s
	plain.Find = 0
	return tree{
		name:  fmt.Sprintf("toy tree of %d nodes, %+v", n, s),
		share: func(_ search.Splitting, root bool) search.Work { return explore.NewToy(s, root) },
		blind: func() search.Work { return explore.NewToy(plain, false) },
		nodes: n, witness: w.Decided(), least: s.LeastValue(),
	}
}

// drawReplay draws a recorded tree, whose stack splits as the stacks of the workloads do.
func drawReplay(r *rand.Rand) tree {
	for {
		seed, depth, width, batch := r.Uint64(), 1+r.IntN(30), 2+r.IntN(4), 1+r.IntN(2)*r.IntN(8)
		recorded, err := replay.RecordTree(search.Shape{Children: childCounts(seed, depth, width), Batch: batch}, mostNodes)
		if err != nil || recorded.NodeCount() < 20 {
			continue // too large, or nearly empty
		}
		return tree{
			name:  fmt.Sprintf("recorded tree of %d nodes, seed %d, depth %d, width %d, batch %d", recorded.NodeCount(), seed, depth, width, batch),
			share: func(split search.Splitting, root bool) search.Work { return recorded.Share(split, root) },
			blind: func() search.Work { return recorded.Share(search.DefaultSplitting, false) },
			nodes: recorded.NodeCount(), least: search.NoBound,
		}
	}
}

// childCounts yields the numbers of children of a random tree in preorder. At first the mean is
// about one child per node, and more than half of the nodes have none.
func childCounts(seed uint64, depth, width int) iter.Seq[int] {
	return func(yield func(int) bool) {
		r := rand.New(rand.NewPCG(seed, stream+1))
		var walk func(level int) bool
		walk = func(level int) bool {
			n := 0
			if level == 0 || level < depth && r.IntN(2*width+3) < width {
				n = 1 + r.IntN(2*width)
			}
			if !yield(n) {
				return false
			}
			for range n {
				if !walk(level + 1) {
					return false
				}
			}
			return true
		}
		walk(0)
	}
}

// drawBinary draws work without a tree, which is halved again and again.
func drawBinary(r *rand.Rand) tree {
	h := model.Halving{Nodes: 1 + r.Int64N(mostNodes), Sigma: r.Float64() / 4, Law: model.Law(r.IntN(2)), Grain: 1 + r.Int64N(4), Seed: r.Uint64()}
	return modelTree(fmt.Sprintf("binary work %+v", h), h.Nodes, func(root bool) (search.Work, error) { return model.NewBinary(h, root) })
}

// drawCombTree draws a long path with bushes.
func drawCombTree(r *rand.Rand) tree {
	teeth, bush := 1+r.IntN(40), 1+r.Int64N(15)
	whole, err := model.NewComb(teeth, bush, true)
	if err != nil {
		panic(err)
	}
	return modelTree(fmt.Sprintf("comb of %d teeth and bushes of %d", teeth, bush), whole.Left(),
		func(root bool) (search.Work, error) { return model.NewComb(teeth, bush, root) })
}

// modelTree returns work without a tree.
func modelTree(name string, nodes int64, share func(root bool) (search.Work, error)) tree {
	makeShare := func(root bool) search.Work {
		w, err := share(root)
		if err != nil {
			panic(err)
		}
		return w
	}
	return tree{
		name: name, nodes: nodes, least: search.NoBound,
		share: func(_ search.Splitting, root bool) search.Work { return makeShare(root) },
		blind: func() search.Work { return makeShare(false) },
	}
}
