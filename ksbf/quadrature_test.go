package ksbf

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Integrals agree with their closed forms. An accepted interval gives T. If the function is
// nearly a parabola, the error of T is 4/3 of the difference between T and T1+T2, so at most
// 4/3 of the tolerance. The bound for the whole is this times the number of intervals. In the
// test cases few intervals are accepted by resolution.
func TestQuadratureAgainstClosedForms(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to float64
	}{
		{"sqrt", 0, 1}, {"sqrt", 1, 9}, {"sin", 0, math.Pi}, {"sin", 0, 10}, {"exp", -3, 3}, {"inverse", 0.001, 1},
		{"inverse", 1, math.E}, {"peak", 0, 1}, {"peak", -5, 0.3}, {"atan", -4, 5}, {"log", 0.01, 2}, {"cbrt", -1, 2},
		{"abs", -1, 1.7}, {"square", -2, 3},
	} {
		for _, tolerance := range []float64{1e-6, 1e-9} {
			w := Quadrature{Function: function(t, c.name), From: c.from, To: c.to, Tolerance: tolerance, Resolution: 1e-10}
			if err := w.Validate(); err != nil {
				t.Fatal(err)
			}
			got := loop(w)
			wrong := math.Abs(got.Sum.Float64() - w.ExactIntegral())
			rounding := 1e-12 * math.Abs(w.ExactIntegral())
			if bound := 1.5*tolerance*float64(got.Leaves) + rounding; wrong > bound || got.Leaves < 3 {
				t.Errorf("%s from %v to %v, tolerance %v: error %v in %d intervals, bound %v", c.name, c.from, c.to, tolerance, wrong, got.Leaves, bound)
			}
		}
	}
}

// The slope of every antiderivative is its function.
func TestAntiderivatives(t *testing.T) {
	for _, f := range Functions {
		for _, x := range []float64{-1.3, -0.2, 0.05, 0.3, 0.301, 0.7, 1, 2.5, 11} {
			if x <= f.Lower || x >= f.Upper {
				continue
			}
			const h = 1e-5
			slope := (f.Antiderived(x+h) - f.Antiderived(x-h)) / (2 * h)
			if math.Abs(slope-f.At(x)) > 1e-4*max(1, math.Abs(f.At(x))) {
				t.Errorf("%s at %v: slope %v, want %v", f.Name, x, slope, f.At(x))
			}
		}
	}
}

// An interval that is accepted at once gives one trapezoid: T, not T1+T2. The resolution is
// compared with half the interval.
func TestAcceptedIntervalGivesT(t *testing.T) {
	w := Quadrature{Function: function(t, "square"), To: 1, Tolerance: 1, Resolution: 1e-9}
	if got := loop(w); got.Nodes != 1 || got.Sum.Float64() != 0.5 {
		t.Errorf("%d tasks, area %v, want 1 and 0.5", got.Nodes, got.Sum.Float64())
	}
	for resolution, nodes := range map[float64]int64{0.5: 1, 0.49: 3, 0.25: 3, 0.24: 7} {
		w := Quadrature{Function: function(t, "square"), To: 1, Resolution: resolution}
		if got := loop(w); got.Nodes != nodes {
			t.Errorf("resolution %v: %d tasks, want %d", resolution, got.Nodes, nodes)
		}
	}
}

// A quadrature with tolerance 0 ends at the resolution, or at neighbouring floating point
// numbers.
func TestQuadratureEnds(t *testing.T) {
	w := Quadrature{Function: function(t, "sin"), From: 1e15, To: 1e15 + 1, Resolution: 1e-60}
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := loop(w); got.Leaves != 8 { // neighbours are 1/8 apart there
		t.Errorf("%d intervals, want 8", got.Leaves)
	}
}

// If areas overflow, halving ends when an interval has no midpoint.
func TestQuadratureEndsWithoutNumbers(t *testing.T) {
	w := Quadrature{Function: function(t, "square"), From: 1e200, To: math.Nextafter(1e200, 2e200), Resolution: 1e180}
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	l := NewLoop(w)
	l.ExecuteTasks(1000)
	if !l.Empty() || l.Tally().Nodes != 1 || !math.IsNaN(l.Tally().Sum.Float64()) {
		t.Errorf("the loop is empty %v after %d tasks, the integral is %v", l.Empty(), l.Tally().Nodes, l.Tally().Sum.Float64())
	}
}

// Sum is exact: it agrees with rational arithmetic, rounded once, for any distribution of the
// numbers over ranks.
func TestSumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exponents := rapid.SampledFrom([]*rapid.Generator[int]{rapid.IntRange(0, 2046), rapid.IntRange(1000, 1060), rapid.IntRange(0, 60)}).Draw(t, "range")
		numbers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			x := math.Float64frombits(uint64(exponents.Draw(t, "exponent"))<<52 | rapid.Uint64Range(0, 1<<52-1).Draw(t, "mantissa"))
			if rapid.Bool().Draw(t, "negative") {
				x = -x
			}
			return x
		}), 0, 40).Draw(t, "numbers")
		var ranks [3]Sum
		exact := new(big.Rat)
		for i, x := range numbers {
			ranks[i%3].AddFloat64(x)
			exact.Add(exact, new(big.Rat).SetFloat64(x))
		}
		want, _ := exact.Float64()
		words := make([]int64, SumWords)
		var joined Sum
		for i := range ranks {
			for j, w := range ranks[i].DigitWords() {
				words[j] += w
			}
			joined.AddAll(&ranks[i])
		}
		read := FromWords(words)
		if a, b := joined.Float64(), read.Float64(); a != want || b != want {
			t.Fatalf("%v and %v, want %v", a, b, want)
		}
	})
}

// Carries are propagated in time. A sum with a summand that is infinite or NaN is NaN.
func TestSumCarries(t *testing.T) {
	var s Sum
	s.added = carryEvery - 3
	for range 10 {
		s.AddFloat64(math.MaxFloat64)
		s.AddFloat64(-math.MaxFloat64)
		s.AddFloat64(-0.1)
	}
	if s.added > 40 || s.Float64() != -1 {
		t.Errorf("%v after %d additions, want -1", s.Float64(), s.added)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var one, all Sum
		one.AddFloat64(x)
		all.AddAll(&one)
		if !math.IsNaN(all.Float64()) {
			t.Errorf("%v: %v", x, all.Float64())
		}
	}
}
