package sanders

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"treesplit/gf2perm"
	"treesplit/internal/parallel"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// loadTrees are the trees whose parts are measured: a geometric and a binomial tree of the UTS
// benchmark, and a formula's tree.
var loadTrees = []lab.Cell{{UTS: "T1"}, {UTS: "T3"}, {Instance: lab.Instance{Variables: 58, Ratio: 5, Seed: 2}}}

var (
	treeSplits = []int{6, 8, 10, 12, 14, 16}
	treeRanks  = []int{16, 64, 256}
)

// treeDeals is the number of deals of the parts of a tree.
const treeDeals = 20

// treeLoad describes the sizes of the parts of a tree after k splits, and the loads that they give.
type treeLoad struct {
	tree    string
	nodes   int64
	k       int
	sizes   []float64 // of the parts, in nodes
	again   int64     // nodes expanded for other parts than the part that has them
	empty   int       // parts without a node
	largest float64   // part, in nodes
	sigma   float64   // estimated
	ranks   []int
	orders  [][]spread // by ranks and treeOrders
}

// treeOrders are the orders in which the parts of trees are dealt; one of them is the order in the
// tree.
var treeOrders = append(slices.Clip(orders[:3:3]), struct {
	name string
	make func(k int, rng *rand.Rand) gf2perm.Permutation
}{"none", func(k int, _ *rand.Rand) gf2perm.Permutation { return inOrder(k) }})

// inOrder leaves the parts in the order of the tree. gf2perm has no such permutation.
type inOrder int

// Bits returns k.
func (k inOrder) Bits() int { return int(k) }

// At returns i.
func (k inOrder) At(i uint64) uint64 { return i & (1<<k - 1) }

// From returns a cursor at i.
func (k inOrder) From(i uint64) gf2perm.Cursor { return &inOrderCursor{k, i} }

type inOrderCursor struct {
	k    inOrder
	next uint64
}

func (c *inOrderCursor) Next() uint64 {
	c.next++
	return c.k.At(c.next - 1)
}

func (c *inOrderCursor) Seek(i uint64) { c.next = i }

// listParts bisects the tree into all its parts.
func (t *treeLoad) listParts(tree *replay.Tree) error {
	sizes := make([]int64, 1<<t.k)
	var expanded int64
	for part := range sizes {
		share := tree.Share(search.DefaultSplitting, false)
		own, again := share.Bisect(t.k, uint64(part))
		sizes[part] = int64(own) + share.Left()
		t.again += int64(again)
		expanded += sizes[part]
		t.sizes = append(t.sizes, float64(sizes[part]))
		if sizes[part] == 0 {
			t.empty++
		}
		t.largest = max(t.largest, float64(sizes[part]))
	}
	if expanded != tree.NodeCount() {
		return fmt.Errorf("%s: 2^%d parts of %d nodes, the tree has %d", t.tree, t.k, expanded, tree.NodeCount())
	}
	t.sigma, _ = lb.EstimateSigma(sizes, t.k)
	return nil
}

// squaredVariation returns the square of the coefficient of variation of the sizes.
func (t *treeLoad) squaredVariation() float64 {
	mean, squares := float64(t.nodes)/float64(len(t.sizes)), 0.0
	for _, s := range t.sizes {
		squares += (s/mean - 1) * (s/mean - 1)
	}
	return squares / float64(len(t.sizes))
}

// dealInAllOrders deals the parts in all orders.
func (t *treeLoad) dealInAllOrders() {
	for _, p := range t.ranks {
		spreads := make([]spread, len(treeOrders))
		for seed := range uint64(treeDeals) {
			rng := rand.New(rand.NewPCG(seed, uint64(t.k)))
			for i, o := range treeOrders {
				spreads[i].addDealtLoads(dealParts(t.sizes, p, o.make(t.k, rng)))
			}
		}
		t.orders = append(t.orders, spreads)
	}
}

// treeLoads measures the parts of trees.
func treeLoads(ctx context.Context, l *lab.Lab, trees []lab.Cell, splits []int) ([]treeLoad, error) {
	return parallel.SideBySide(ctx, l.Workers, len(trees)*len(splits), func(_ context.Context, i int) (treeLoad, error) {
		c := trees[i/len(splits)]
		t := treeLoad{tree: c.WorkloadName(), k: splits[i%len(splits)]}
		tree, err := l.RecordedTree(c)
		if err != nil {
			return t, err
		}
		t.nodes = tree.NodeCount()
		if err := t.listParts(tree); err != nil {
			return t, err
		}
		for _, p := range treeRanks {
			if p <= 1<<t.k {
				t.ranks = append(t.ranks, p)
			}
		}
		t.dealInAllOrders()
		return t, nil
	})
}

// treePartTable shows the distribution of the sizes of parts.
func treePartTable(all []treeLoad) figure.Table {
	table := figure.Table{Name: "static-load-parts", Title: "Parts of recorded trees after k splits", Head: []string{
		"tree", "W", "k", "mean", "empty", "c²", "σ", "largest, of W", "(σ+1/2)^k", "twice"}}
	for _, t := range all {
		table.AppendRow(t.tree, fmt.Sprint(t.nodes), fmt.Sprint(t.k), figure.FormatNumber(float64(t.nodes)/float64(len(t.sizes))),
			fmt.Sprintf("%.1f %%", 100*float64(t.empty)/float64(len(t.sizes))), figure.FormatNumber(t.squaredVariation()), fmt.Sprintf("%.3f", t.sigma),
			fmt.Sprintf("%.4f", t.largest/float64(t.nodes)), fmt.Sprintf("%.4f", lb.LargestPart(t.sigma, t.k)),
			fmt.Sprintf("%.3f", float64(t.again)/float64(t.nodes)))
	}
	return table
}

// treeLoadTable shows the loads, in the order that the static scheme uses.
func treeLoadTable(all []treeLoad) figure.Table {
	table := figure.Table{Name: "static-load-trees", Title: "Largest load of P ranks in mean loads, in the order of powers, and what theorem 5 bounds it by with the σ estimated", Head: []string{"tree", "k"}}
	for _, p := range treeRanks {
		table.Head = append(table.Head, fmt.Sprintf("P = %d", p), "largest part", "theorem 5")
	}
	for _, t := range all {
		row := []string{t.tree, fmt.Sprint(t.k)}
		for i, p := range treeRanks {
			if i >= len(t.ranks) {
				row = append(row, "", "", "")
				continue
			}
			row = append(row, fmt.Sprintf("%.2f", t.orders[i][1].meanLargest()), fmt.Sprintf("%.2f", t.largest*float64(p)/float64(t.nodes)),
				figure.FormatNumber(math.Min(theorem5Load(t.sigma, p, t.k), float64(p))))
		}
		table.AppendRow(row...)
	}
	return table
}

// treeOrderTable compares the orders.
func treeOrderTable(all []treeLoad) figure.Table {
	table := figure.Table{Name: "static-load-orders", Title: "Largest load in mean loads by the order of dealing", Spread: &figure.Spread{Keys: 3, Variable: "order", Value: "largest load"}, Head: []string{"tree", "k", "P"}}
	for _, o := range treeOrders {
		table.Head = append(table.Head, o.name)
	}
	for _, t := range all {
		if t.k < treeSplits[len(treeSplits)-1] {
			continue
		}
		for i, p := range t.ranks {
			row := []string{t.tree, fmt.Sprint(t.k), fmt.Sprint(p)}
			for _, o := range t.orders[i] {
				row = append(row, fmt.Sprintf("%.2f", o.meanLargest()))
			}
			table.AppendRow(row...)
		}
	}
	return table
}

// treeFigure draws the largest loads of 64 ranks.
func treeFigure(all []treeLoad) figure.Figure {
	const at = 1 // index in treeRanks
	f := figure.Figure{Name: "static-load", Title: fmt.Sprintf("Largest load of %d ranks, in mean loads", treeRanks[at]), X: "k", Y: "largest load", LogY: true}
	for _, t := range all {
		if len(f.Curves) == 0 || f.Curves[len(f.Curves)-1].Name != t.tree {
			f.Curves = append(f.Curves, figure.Curve{Name: t.tree})
		}
		c := &f.Curves[len(f.Curves)-1]
		c.X, c.Y = append(c.X, float64(t.k)), append(c.Y, t.orders[at][1].meanLargest())
	}
	return f
}
