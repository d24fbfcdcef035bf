package main

import (
	"fmt"

	"treesplit/internal/svg"
	"treesplit/search"
	"treesplit/search/stack"
)

// placing is a node of the tree: queens in the first rows of a board of four.
type placing struct {
	Rows    int32
	Columns [4]int32
}

// queens is the tree of the ways to place four queens; it notes what its share expands.
type queens struct{ visited map[placing]bool }

func (q queens) Root() placing       { return placing{} }
func (q queens) Visit(n placing)     { q.visited[n] = true }
func (q queens) Check(placing) error { return nil }

func (q queens) Children(dst []placing, n placing) []placing {
	if n.Rows == 4 {
		return dst
	}
	for column := range int32(4) {
		attacked := false
		for r := range n.Rows {
			d := n.Columns[r] - column
			attacked = attacked || d == 0 || d == n.Rows-r || d == r-n.Rows
		}
		if !attacked {
			next := n
			next.Columns[n.Rows], next.Rows = column, n.Rows+1
			dst = append(dst, next)
		}
	}
	return dst
}

// splitTree is a tree that one rank has begun and then shared with another.
type splitTree struct {
	before, donor, requester map[placing]bool // expanded before the split, and after it by either rank
	weights                  [3]float64       // closed before the split, left to the donor, given away
}

// splitQueens searches the tree on two shares.
func splitQueens() (splitTree, error) {
	tree := splitTree{before: map[placing]bool{}, donor: map[placing]bool{}, requester: map[placing]bool{}}
	own, other := queens{tree.before}, queens{tree.requester}
	donor, requester := stack.New(own, search.DefaultSplitting, true), stack.New(other, search.DefaultSplitting, false)
	donor.Expand(4)
	tree.weights[0] = 1 - donor.Weight()
	piece, ok := donor.Split(nil)
	if !ok {
		return tree, fmt.Errorf("the share did not split")
	}
	if err := requester.Accept(piece); err != nil {
		return tree, err
	}
	tree.weights[1], tree.weights[2] = donor.Weight(), requester.Weight()
	expanded := len(tree.before)
	done := map[placing]bool{}
	for n := range tree.before {
		done[n] = true
	}
	for !donor.Empty() {
		donor.Expand(1)
	}
	for n := range tree.before {
		if !done[n] {
			tree.donor[n] = true
			delete(tree.before, n)
		}
	}
	for !requester.Empty() {
		requester.Expand(1)
	}
	if len(tree.before) != expanded {
		return tree, fmt.Errorf("%d nodes before the split, and %d after it", expanded, len(tree.before))
	}
	return tree, nil
}

// drawWeights draws the weights of nodes (Knuth 1975) and the shares of two ranks.
func drawWeights() (*svg.Canvas, error) {
	tree, err := splitQueens()
	if err != nil {
		return nil, err
	}
	const width = 760.0
	c := svg.New(width, 436, "The share of a tree by weights", "A node has the weight of its parent divided by the number of siblings. The weights of all open and closed parts add up to 1.")
	c.TextSized(40, 30, 15, svg.Start, "ink bold", "The share of a tree by weights: four queens, and the weight of each node")
	w := weightDrawing{Canvas: c, tree: tree, x: 64}
	w.drawNode(placing{}, 1)
	for i, text := range []string{"closed: expanded before the split, weight", "open: kept by the donor, weight", "open: given to the requester, weight"} {
		y := 348 + 26*float64(i)
		c.Circle(56, y, 7, fmt.Sprint("f", []int{6, 0, 1}[i]))
		c.Text(74, y+4.5, svg.Start, "ink", fmt.Sprintf("%s %s", text, fraction(tree.weights[i])))
	}
	c.Text(74, 348+26*3+4.5, svg.Start, "muted", fmt.Sprintf("sum %s", fraction(tree.weights[0]+tree.weights[1]+tree.weights[2])))
	return c, nil
}

// weightDrawing is a tree in progress; its leaves stand side by side from x on.
type weightDrawing struct {
	*svg.Canvas
	tree splitTree
	x    float64
}

// drawNode draws a subtree and returns the place of its root.
func (w *weightDrawing) drawNode(n placing, weight float64) (x, y float64) {
	y = 70 + 62*float64(n.Rows)
	children := queens{}.Children(nil, n)
	var at [][2]float64
	for _, child := range children {
		cx, cy := w.drawNode(child, weight/float64(len(children)))
		at = append(at, [2]float64{cx, cy})
		x += cx / float64(len(children))
	}
	if len(children) == 0 {
		x = w.x
		w.x += 124
	}
	for _, to := range at {
		w.Line(x, y+9, to[0], to[1]-9, "line thin ref")
	}
	colour := 6
	switch {
	case w.tree.donor[n]:
		colour = 0
	case w.tree.requester[n]:
		colour = 1
	}
	w.Circle(x, y, 8, fmt.Sprint("f", colour))
	w.Text(x+13, y+4.5, svg.Start, "ink", fraction(weight))
	return x, y
}

// fraction writes a weight as a fraction with a small denominator.
func fraction(v float64) string {
	for d := 1; d < 1000; d++ {
		if n := v * float64(d); n-float64(int(n+1e-9)) < 1e-6 {
			if d == 1 {
				return fmt.Sprint(int(n + 1e-9))
			}
			return fmt.Sprintf("%d/%d", int(n+1e-9), d)
		}
	}
	return fmt.Sprintf("%.3f", v)
}
