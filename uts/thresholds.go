package uts

import (
	"math"
	"sort"
)

// counter computes childCount in integers. At each height the number of children is a
// non-decreasing step function of the random value. So a short table per height replaces the
// logarithms: about one load and one comparison per node.
//
// A table is made when its height first occurs, because the depth of a tree is unknown, and only
// for heights below maxRows. That bounds the memory at 2.7 MB for any tree or invalid piece. The
// children of deeper nodes that do not follow the Binomial rule are computed in floating point.
type counter struct {
	p             Params
	binomialFrom  int    // heights from here on follow the Binomial rule
	inner         uint32 // Binomial: a node has children if its value is below inner
	innerChildren int32
	rows          []*row // by height; nil if not made yet
}

const maxRows = 4096

// row is the step function of one height. The value v is in bucket v>>23 of 256. The bucket gives
// a first count, and the thresholds within the bucket give the rest.
type row struct {
	start [256]uint8
	// least[k] is the least value with at least k children, or 2^31, which no value reaches, if
	// there is none. The last entry is always 2^31.
	least [maxChildren + 2]uint32
	mean  float64 // rows of equal means are shared
}

func newCounter(p Params) *counter {
	c := &counter{
		p:             p,
		binomialFrom:  math.MaxInt,
		inner:         uint32(math.Ceil(p.Q * (1 << 31))),
		innerChildren: int32(min(p.M, maxChildren)),
	}
	if p.Type == Binomial || p.Type == Hybrid {
		c.binomialFrom = max(1, p.geometricBelow()) // a Binomial root has its own rule
	}
	return c
}

// countChildren returns p.childCount(h, v).
func (c *counter) countChildren(h int, v uint32) int {
	var count [1]int32
	c.fillChildCounts(count[:], []state{{4: v}}, h)
	return int(count[0])
}

// fillChildCounts sets counts[i] to the number of children of nodes[i]. All nodes have height h.
// The slices have the same length.
func (c *counter) fillChildCounts(counts []int32, nodes []state, h int) {
	if h >= c.binomialFrom {
		for i := range counts {
			counts[i] = 0
			if nodes[i].randomValue() < c.inner {
				counts[i] = c.innerChildren
			}
		}
		return
	}
	r := c.rowAtHeight(h)
	if r == nil {
		for i := range counts {
			counts[i] = int32(c.p.childCount(h, nodes[i].randomValue()))
		}
		return
	}
	for i := range counts {
		counts[i] = int32(r.childrenForValue(nodes[i].randomValue()))
	}
}

// rowAtHeight returns the row of height h. It makes the row if needed. It returns nil for heights
// without a row.
func (c *counter) rowAtHeight(h int) *row {
	if h < len(c.rows) && c.rows[h] != nil {
		return c.rows[h]
	}
	if h >= maxRows || h >= c.p.geometricBelow() {
		return nil
	}
	for len(c.rows) <= h {
		c.rows = append(c.rows, nil)
	}
	mean := c.p.meanChildren(h)
	if h > 0 && c.rows[h-1] != nil && c.rows[h-1].mean == mean {
		c.rows[h] = c.rows[h-1]
	} else {
		c.rows[h] = newRow(mean)
	}
	return c.rows[h]
}

// newRow inverts the floating-point formula by bisection on the formula itself, so that the two
// agree for every value.
func newRow(mean float64) *row {
	r := &row{mean: mean}
	most := drawGeometric(mean, 1<<31-1)
	for k := 1; k < len(r.least); k++ {
		r.least[k] = 1 << 31
		if k <= most {
			r.least[k] = leastWith(mean, k)
		}
	}
	k := 0
	for bucket := range r.start {
		for r.least[k+1] <= uint32(bucket)<<23 {
			k++
		}
		r.start[bucket] = uint8(k)
	}
	return r
}

// leastWith returns the least value that gives at least k ≥ 1 children, if there is one. The
// formula solved for v is a guess with a small rounding error. So the bisection starts in a small
// window and falls back to the whole range.
func leastWith(mean float64, k int) uint32 {
	const window = 8
	low, high := 0, 1<<31-1
	guess := int(-math.Expm1(float64(k)*math.Log(1-1/(1+mean))) * (1 << 31))
	if l := guess - window; l > low && drawGeometric(mean, uint32(l)) < k {
		low = l
	}
	if h := guess + window; h < high && drawGeometric(mean, uint32(h)) >= k {
		high = h
	}
	return uint32(low + sort.Search(high-low, func(i int) bool { return drawGeometric(mean, uint32(low+i)) >= k }))
}

// childrenForValue returns the number of children of a node with random value v < 2^31.
func (r *row) childrenForValue(v uint32) int {
	k := int(r.start[v>>23&255])
	for v >= r.least[k+1] {
		k++
	}
	return k
}
