package model

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"

	"treesplit/internal/splitmix"
	"treesplit/search"
	"treesplit/search/searchtest"
)

func newBinary(h Halving, root bool) *Binary {
	b, err := NewBinary(h, root)
	if err != nil {
		panic(err)
	}
	return b
}

// halvings draws a Halving of any law and deviation.
func halvings(t *rapid.T, mostNodes int64) Halving {
	h := Halving{
		Nodes: rapid.Int64Range(1, mostNodes).Draw(t, "nodes"),
		Law:   rapid.SampledFrom([]Law{Uniform, TwoPoint, Beta}).Draw(t, "law"),
		Sigma: rapid.Float64Range(0, 0.5).Draw(t, "sigma"),
		Grain: rapid.Int64Range(0, 20).Draw(t, "grain"),
		Seed:  rapid.Uint64().Draw(t, "seed"),
	}
	if h.Law == Uniform {
		h.Sigma = min(h.Sigma, 0.288)
	}
	return h
}

func TestBinaryConformance(t *testing.T) {
	for _, h := range []Halving{
		{Nodes: 5000, Sigma: 0.2, Law: Uniform},
		{Nodes: 5003, Sigma: 0.5, Law: TwoPoint, Seed: 1},
		{Nodes: 20000, Sigma: 0.4, Law: Beta, Seed: 2, Grain: 7},
	} {
		t.Run(h.Law.String(), func(t *testing.T) {
			searchtest.Run(t,
				func() search.Work { return newBinary(h, true) },
				func() search.Work { return newBinary(h, false) },
				h.Nodes)
		})
	}
}

func TestNewBinaryRefuses(t *testing.T) {
	for _, h := range []Halving{
		{Nodes: 0}, {Nodes: -1}, {Nodes: 1<<62 + 1}, {Nodes: 5, Grain: -1},
		{Nodes: 5, Sigma: 0.29}, {Nodes: 5, Sigma: -0.1}, {Nodes: 5, Sigma: math.NaN()},
		{Nodes: 5, Sigma: 0.51, Law: TwoPoint}, {Nodes: 5, Sigma: 0.51, Law: Beta}, {Nodes: 5, Law: 3},
	} {
		if _, err := NewBinary(h, true); err == nil {
			t.Errorf("NewBinary accepts %+v", h)
		}
	}
}

// x has the mean 1/2 and the deviation σ under every law, and is symmetric.
func TestLaws(t *testing.T) {
	const draws = 200_000
	for _, c := range []struct {
		law    Law
		sigmas []float64
	}{
		{Uniform, []float64{0, 0.05, 0.2, math.Sqrt(1. / 12)}},
		{TwoPoint, []float64{0, 0.05, 0.3, 0.5}},
		{Beta, []float64{0, 0.001, 0.05, 0.2, 0.35, 0.45, 0.499, 0.5}},
	} {
		for _, sigma := range c.sigmas {
			h := Halving{Nodes: 1, Law: c.law, Sigma: sigma}
			sum, squares, below := 0.0, 0.0, 0.0
			for id := range uint64(draws) {
				x := h.givenFraction(splitmix.Next(id))
				if !(x >= 0 && x <= 1) {
					t.Fatalf("%v, σ = %v: x = %v", c.law, sigma, x)
				}
				sum += x - 0.5
				squares += (x - 0.5) * (x - 0.5)
				if x < 0.5 {
					below++
				}
			}
			// Five deviations of the estimates: the variance of (x−1/2)² is at most σ²/4.
			slack := 5 / math.Sqrt(draws)
			if mean := sum / draws; math.Abs(mean) > slack*sigma {
				t.Errorf("%v, σ = %v: the error of the mean is %v", c.law, sigma, mean)
			}
			if variance := squares / draws; math.Abs(variance-sigma*sigma) > slack*sigma/2 {
				t.Errorf("%v, σ = %v: the deviation is %v", c.law, sigma, math.Sqrt(variance))
			}
			if sigma > 0 && math.Abs(below/draws-0.5) > slack/2 {
				t.Errorf("%v, σ = %v: the fraction below 1/2 is %v", c.law, sigma, below/draws)
			}
		}
	}
}

// The polar method generates the Beta law. Its distribution function is the regularised
// incomplete beta function; the sample's agrees with it within the bound of Kolmogorov and
// Smirnov. If x is within 1e-12 of 0 or 1, rounding makes a comparison meaningless.
func TestBetaIsBeta(t *testing.T) {
	const draws = 100_000
	for _, sigma := range []float64{0.02, 0.1, 0.25, math.Sqrt(1. / 12), 0.35, 0.45} {
		h, a := Halving{Law: Beta, Sigma: sigma}, (1/(4*sigma*sigma)-1)/2
		var xs []float64
		for id := range uint64(draws) {
			xs = append(xs, h.givenFraction(splitmix.Next(id+77)))
		}
		slices.Sort(xs)
		worst := 0.0
		for i, x := range xs {
			if x < 1e-12 || x > 1-1e-12 {
				continue
			}
			worst = max(worst, math.Abs(mathext.RegIncBeta(a, a, x)-(float64(i)+0.5)/draws))
		}
		if worst > 1.95/math.Sqrt(draws) { // exceeded by one in a thousand samples
			t.Errorf("σ = %v: the error of the distribution is %v", sigma, worst)
		}
	}
}

// The parts of a bisection equal the results of splits, and add up to the whole.
func TestBisect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := halvings(t, 3000)
		k := rapid.IntRange(0, 11).Draw(t, "k")
		b, total, part := newBinary(h, true), int64(0), uint64(0)
		for size := range b.PartSizes(k) {
			expanded, redundant := b.Bisect(k, part)
			if b.Left() != size || expanded != 0 || redundant > k {
				t.Fatalf("part %d has %d nodes at a cost of %d + %d, PartSizes yields %d", part, b.Left(), expanded, redundant, size)
			}
			for b.Expand(100) > 0 {
			}
			total += size
			part++
		}
		if total != h.Nodes || part != 1<<k {
			t.Fatalf("the %d parts hold %d nodes of %d", part, total, h.Nodes)
		}

		donor, half := newBinary(h, true), newBinary(h, false)
		if piece, ok := donor.Split(nil); ok {
			half.Bisect(1, 0)
			if donor.Left() != half.Left() || NodesInPiece(piece) != h.Nodes-half.Left() {
				t.Fatalf("split into %d and %d, bisected into %d and the rest", donor.Left(), NodesInPiece(piece), half.Left())
			}
		}
	})
}

// Only an empty share and the whole can be bisected; the whole is one of its parts.
func TestBisectOfOther(t *testing.T) {
	h := Halving{Nodes: 1000, Sigma: 0.1}
	b := newBinary(h, true)
	if b.Bisect(0, 0); b.Left() != 1000 {
		t.Errorf("the only part of 2^0 has %d nodes", b.Left())
	}
	b.Expand(1)
	for _, f := range []func(){
		func() { b.Bisect(3, 1) },
		func() { newBinary(h, false).Bisect(3, 8) },
		func() { newBinary(h, false).Pack(nil) },
	} {
		if !panics(f) {
			t.Error("Bisect does not panic on a share with expanded nodes")
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// PartSizes stops when yield returns false.
func TestPartsStops(t *testing.T) {
	n := 0
	for range newBinary(Halving{Nodes: 1 << 40, Sigma: 0.1}, false).PartSizes(40) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Error("PartSizes continues after yield returned false")
	}
}

// A packed share splits like the share that stayed.
func TestPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := halvings(t, 1e12)
		a, b, c := newBinary(h, true), newBinary(h, true), newBinary(h, false)
		n := rapid.IntRange(0, int(h.Nodes-1)).Draw(t, "expanded")
		a.Expand(n)
		b.Expand(n)
		packed := b.Pack([]byte{1, 2})
		if !b.Empty() || NodesInPiece(packed[2:]) != a.Left() || packed[2] >= 128 {
			t.Fatalf("packed into %x, %d left", packed, b.Left())
		}
		if err := c.Accept(packed[2:]); err != nil {
			t.Fatal(err)
		}
		one, ok1 := a.Split(nil)
		other, ok2 := c.Split(nil)
		if ok1 != ok2 || !bytes.Equal(one, other) || a.Left() != c.Left() {
			t.Fatalf("%x, %v, %d left; packed %x, %v, %d left", one, ok1, a.Left(), other, ok2, c.Left())
		}
	})
}

// h depends on the number of atoms only: it is the logarithm to the base 2 for equal halves,
// and the number of atoms minus 1 if every split takes off one.
func TestHeight(t *testing.T) {
	for atoms := int64(1); atoms <= 1<<10; atoms *= 2 {
		for _, grain := range []int64{1, 10, 1e6} {
			for _, c := range []struct {
				sigma float64
				want  int
			}{{0, int(math.Log2(float64(atoms)))}, {0.5, int(atoms - 1)}} {
				h := Halving{Nodes: atoms * grain, Grain: grain, Law: TwoPoint, Sigma: c.sigma}
				if got := newBinary(h, false).SplitHeight(); got != c.want {
					t.Errorf("%d atoms of %d, σ = %v: h = %d, want %d", atoms, grain, c.sigma, got, c.want)
				}
			}
		}
	}
	small := newBinary(Halving{Nodes: 1 << 20, Grain: 1 << 8, Sigma: 0.2, Seed: 5}, false)
	large := newBinary(Halving{Nodes: 1 << 50, Grain: 1 << 38, Sigma: 0.2, Seed: 5}, false)
	if h := small.SplitHeight(); h <= 12 || h != large.SplitHeight() {
		t.Errorf("2^12 atoms, split unevenly: h = %d, but h = %d for more nodes", h, large.SplitHeight())
	}
}

// Less than two atoms are not split, and pieces are whole atoms.
func TestGrain(t *testing.T) {
	b := newBinary(Halving{Nodes: 1007, Grain: 10, Sigma: 0.2}, true)
	b.Expand(4)
	for {
		piece, ok := b.Split(nil)
		if !ok {
			break
		}
		if n := NodesInPiece(piece); n == 0 || n%10 != 0 {
			t.Fatalf("a piece has %d nodes", n)
		}
	}
	if b.Left() < 10 || b.Left() >= 20 {
		t.Errorf("%d nodes were not split", b.Left())
	}
}

func ExampleBinary() {
	h := Halving{Nodes: 1000, Sigma: 0.25, Law: TwoPoint, Seed: 1}
	b, _ := NewBinary(h, true)
	for size := range b.PartSizes(2) {
		fmt.Println(size)
	}
	// Output:
	// 187
	// 63
	// 187
	// 563
}

func FuzzBinaryAccept(f *testing.F) {
	h := Halving{Nodes: 1000, Sigma: 0.3, Law: Beta, Grain: 3}
	piece, _ := newBinary(h, true).Split(nil)
	f.Add(piece)
	f.Add(binary.BigEndian.AppendUint64(piece[8:], 1<<63))
	f.Fuzz(func(t *testing.T, piece []byte) {
		b := newBinary(h, false)
		if b.Accept(piece) != nil {
			if !b.Empty() {
				t.Error("the share is not empty after it has refused a piece")
			}
			return
		}
		nodes := b.Left()
		if nodes < 1 || nodes > h.Nodes || nodes != NodesInPiece(piece) {
			t.Errorf("the share accepts %d nodes", nodes)
		}
		half, ok := b.Split(nil)
		if ok && (NodesInPiece(half) < 1 || NodesInPiece(half)+b.Left() != nodes) || !ok && nodes >= 2*h.Grain {
			t.Errorf("%d nodes split into %d and %d", nodes, b.Left(), NodesInPiece(half))
		}
	})
}

// A share that Fresh returns has the same halves as one of NewBinary, also where newer values of x have
// displaced older ones.
func TestFreshSharesAreAlike(t *testing.T) {
	for _, law := range []Law{Uniform, TwoPoint, Beta} {
		h := Halving{Nodes: 1 << 24, Sigma: 0.2, Law: law, Seed: 3}
		alone, err := NewBinary(h, false)
		if err != nil {
			t.Fatal(err)
		}
		first, err := NewBinary(h, false)
		if err != nil {
			t.Fatal(err)
		}
		const k = 14 // 2^15 halvings, more than the memo has places
		for part := uint64(0); part < 1<<k; part += 1 + part%7 {
			shared := first.Fresh(part%2 == 0)
			_, redundant := shared.Bisect(k, part)
			if _, want := alone.Bisect(k, part); redundant != want || shared.left != alone.left || shared.id != alone.id {
				t.Fatalf("%v: part %d has %d nodes, expected %d", law, part, shared.left, alone.left)
			}
			alone.left, alone.id = 0, 0
		}
	}
}
