package uts

import (
	"math"
	"math/rand/v2"
	"testing"
)

// shapesOfInterest are trees whose means take every course.
var shapesOfInterest = []Params{
	geometricTree(Linear, 20, 4, 0), geometricTree(Linear, 3, 0.7, 0), geometricTree(Linear, 2, 99, 0),
	geometricTree(ExpDec, 10, 3, 0), geometricTree(ExpDec, 2, 1000, 0), geometricTree(ExpDec, 7, 1, 0),
	geometricTree(Cyclic, 16, 6, 0), geometricTree(Cyclic, 5, 0.2, 0), geometricTree(Cyclic, 3, 1e9, 0),
	geometricTree(Fixed, 10, 4, 0), geometricTree(Fixed, 4, 1, 0), geometricTree(Fixed, 4, 1<<31-1, 0), geometricTree(Fixed, 3, 0, 0),
	hybridTree(Linear, 16, 6, 0), hybridTree(Cyclic, 7, 3, 0), hybridTree(ExpDec, 9, 2, 0),
	binomialTree(0.124875, 8, 0), binomialTree(0.4999999995, 2, 0), binomialTree(0, 5, 0), binomialTree(1-1.0/(1<<31), 1000, 0),
	binomialTree(1e-300, 3, 0), binomialTree(0.25, 3, 0), balanced(9, 3), balanced(4, 1e6),
}

// The integers must give the results of the floating-point definitions, in particular at the
// values where the count changes.
func TestThresholdsAgainstFloatingPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, p := range shapesOfInterest {
		c := newCounter(p)
		for h := range 90 {
			for _, v := range valuesOfInterest(rng, c, h) {
				if got, want := c.countChildren(h, v), p.childCount(h, v); got != want {
					t.Fatalf("%+v: height %d value %d: %d children, want %d", p, h, v, got, want)
				}
			}
		}
	}
}

// valuesOfInterest are random values, the ends of the range, bucket boundaries, and
// those at and just below a change of the count at height h.
func valuesOfInterest(rng *rand.Rand, c *counter, h int) []uint32 {
	values := []uint32{0, 1, 1<<31 - 2, 1<<31 - 1, c.inner & (1<<31 - 1), (c.inner - 1) & (1<<31 - 1)}
	for range 50 {
		v := rng.Uint32() >> 1
		values = append(values, v, v&^(1<<23-1), v|(1<<23-1))
	}
	c.countChildren(h, 0) // makes the row
	if h < len(c.rows) && c.rows[h] != nil {
		for _, least := range c.rows[h].least[1:] {
			if least < 1<<31 {
				values = append(values, least, max(least, 1)-1)
			}
		}
	}
	return values
}

// Heights beyond the rows are computed in floating point, and rows are bounded.
func TestDeepHeightsKeepNoRows(t *testing.T) {
	p := geometricTree(ExpDec, 1000, 2, 0)
	c := newCounter(p)
	rng := rand.New(rand.NewPCG(7, 8))
	for _, h := range []int{maxRows - 1, maxRows, maxRows + 1, 1 << 20, maxHeight, math.MaxInt32} {
		for range 100 {
			v := rng.Uint32() >> 1
			if got, want := c.countChildren(h, v), p.childCount(h, v); got != want {
				t.Fatalf("height %d value %d: %d children, want %d", h, v, got, want)
			}
		}
	}
	if len(c.rows) > maxRows {
		t.Errorf("%d rows, want at most %d", len(c.rows), maxRows)
	}
	made := 0
	for _, r := range c.rows {
		if r != nil {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d rows made for one height, want 1", made)
	}
}

// A tree whose mean does not change needs one row.
func TestRowsOfEqualMeansAreShared(t *testing.T) {
	c := newCounter(geometricTree(Fixed, 100, 4, 0))
	for h := range 100 {
		c.countChildren(h, 0)
	}
	for h, r := range c.rows {
		if r != c.rows[0] {
			t.Errorf("height %d has a row of its own", h)
		}
	}
}

func TestThresholdsAreOrdered(t *testing.T) {
	for _, mean := range []float64{0, 1e-9, 0.5, 1, 2, 4, 60, 1e6, 1 << 31} {
		r := newRow(mean)
		for k := 2; k < len(r.least); k++ {
			if r.least[k] < r.least[k-1] {
				t.Errorf("mean %v: the threshold of %d children, %d, is below that of one fewer, %d", mean, k, r.least[k], r.least[k-1])
			}
		}
		if r.least[maxChildren+1] != 1<<31 {
			t.Errorf("mean %v: more than %d children are possible", mean, maxChildren)
		}
	}
}
