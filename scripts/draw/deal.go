package main

import (
	"fmt"

	"treesplit/internal/svg"
	"treesplit/lb"
)

const (
	dealSplits = 4
	dealRanks  = 4
	dealSeed   = 1
)

// dealOrder returns the parts in the order in which they are dealt out: rank r gets the r-th of
// dealRanks runs of it.
func dealOrder() []uint64 {
	const parts = 1 << dealSplits
	cursor := new(lb.Permutations).PowersFromSeed(dealSplits, dealSeed).CursorFrom(0)
	order := make([]uint64, parts)
	for i := range order {
		order[i] = cursor.Next()
	}
	return order
}

// drawDeal draws a static deal: the tree is split into 2^k parts, which are dealt out in the order of
// a pseudorandom permutation, equally many to each rank.
func drawDeal() (*svg.Canvas, error) {
	const width, left, step, top, level = 760.0, 20.0, 45.0, 62.0, 40.0
	const parts = 1 << dealSplits
	c := svg.New(width, 384, "A static deal of 16 parts onto 4 ranks", "The parts of the tree are numbered from left to right. Each rank gets four parts that are spread over the tree.")
	c.TextSized(left, 30, 15, svg.Start, "ink bold", "static: k = 4 splits make 2⁴ parts; the parts are dealt out to 4 ranks at random")
	leaf := func(i float64) float64 { return left + step*(i+0.5) }
	for d := range dealSplits {
		span := float64(int(parts) >> d)
		for i := range 1 << d {
			x, y := leaf(float64(i)*span+span/2-0.5), top+level*float64(d)
			for _, child := range []float64{span / 4, 3 * span / 4} {
				c.Line(x, y, leaf(float64(i)*span+child-0.5), y+level, "line thin ref")
			}
			c.Circle(x, y, 4, "muted")
		}
	}
	order := dealOrder()
	owner := make([]int, parts)
	for i, part := range order {
		owner[part] = i * dealRanks / parts
	}
	y := top + level*dealSplits
	card := func(x, y float64, rank int, part uint64) {
		c.Box(x-17, y, 34, 28, fmt.Sprintf("f%d", rank))
		c.Text(x, y+19, svg.Middle, "on bold", fmt.Sprint(part))
	}
	for part, rank := range owner {
		card(leaf(float64(part)), y, rank, uint64(part))
	}
	c.Text(left, y+62, svg.Start, "muted", "the order of the permutation (seed 1):")
	for i, part := range order {
		card(leaf(float64(i)), y+76, owner[part], part)
	}
	for rank := range dealRanks {
		from, to := leaf(float64(rank*4))-19, leaf(float64(rank*4+3))+19
		c.Path(fmt.Sprintf("M%.1f,%.1fV%.1fH%.1fV%.1f", from, y+110, y+118, to, y+110), fmt.Sprintf("line c%d", rank))
		c.Text((from+to)/2, y+139, svg.Middle, "ink", fmt.Sprint("rank ", rank))
	}
	return c, nil
}
