package predict

import (
	"math"
	"testing"
	"time"

	"treesplit/search"
	"treesplit/study/figure"
)

// directSize returns the size at which the best of all depths reaches the efficiency, found by
// bisection alone: the size that keeps the efficiency, by its definition.
func directSize(t *testing.T, s *simulator, scheme string, ranks int, sigma float64) float64 {
	t.Helper()
	reaches := func(w float64) bool {
		for depth := 1; depth <= 13; depth++ {
			c, err := s.simulateCutoff(int64(w), sigma, scheme, ranks, depth)
			if err != nil {
				t.Fatal(err)
			}
			if c.Efficiency >= s.Efficiency {
				return true
			}
		}
		return false
	}
	low, high := 100.0, 200.0
	for !reaches(high) {
		low, high = high, 2*high
	}
	for high > 1.1*low {
		if mid := math.Sqrt(low * high); reaches(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// The predicted exponents of the schemes that cut off subtasks agree with direct bisections over
// all depths.
func TestIsoefficiencyOfSubtasks(t *testing.T) {
	o := options(t)
	o.Efficiency = 0.7
	s := &simulator{Options: o}
	for _, scheme := range []string{"sl", "ml", "ra"} {
		var x, y, direct []float64
		for _, ranks := range []int{2, 4, 8} {
			w, cutoff, err := s.leastSize(scheme, ranks, 0.05)
			if err != nil || cutoff < 1 {
				t.Errorf("%s, P = %d: depth %d, %v", scheme, ranks, cutoff, err)
			}
			x, y, direct = append(x, float64(ranks)), append(y, w), append(direct, directSize(t, s, scheme, ranks, 0.05))
		}
		got, _ := figure.FitExponent(x, y)
		want, _ := figure.FitExponent(x, direct)
		t.Logf("%s: %.0f, P^%.2f; directly %.0f, P^%.2f", scheme, y, got, direct, want)
		if math.Abs(got-want) > 0.3 {
			t.Errorf("%s: P^%.2f, directly P^%.2f", scheme, got, want)
		}
	}
}

// On a model the reported efficiency is the best over the depths.
func TestBestCutoff(t *testing.T) {
	o := options(t)
	s := &simulator{Options: o}
	for _, scheme := range []string{"sl", "ml", "ra"} {
		best, err := s.simulateModel(200_000, 0.15, scheme, 8)
		if err != nil {
			t.Fatal(err)
		}
		for depth := 1; depth <= 15; depth++ {
			if c, err := s.simulateCutoff(200_000, 0.15, scheme, 8, depth); err != nil || c.Efficiency > best.Efficiency {
				t.Errorf("%s: %.3f at depth %d, %.3f at depth %d, %v", scheme, best.Efficiency, best.Cutoff, c.Efficiency, depth, err)
			}
		}
	}
}

// A model is cut into about as many subtasks as a tree, whatever the scheme.
func TestModelDepth(t *testing.T) {
	o, w := options(t), tree(t, 8)
	o.Ranks = []int{2, 8}
	s := &simulator{Options: o}
	found, err := ExamineTree(w, o.Machine, search.DefaultSplitting, time.Minute, never)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"sl", "ml", "ra", "ranade"} {
		s.Schemes = []string{scheme}
		s.Plan.Splitting.Cutoff = 4
		cells, err := s.simulateGrid(found)
		if err != nil {
			t.Fatal(err)
		}
		depth := modelDepth(cells)
		got, err := s.simulateCutoff(found.Nodes, 0.05, scheme, 8, depth)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: depth %d, %d pieces of the tree, %d of the model", scheme, depth, cells[1].grants, got.grants)
		if ratio := float64(got.grants) / float64(cells[1].grants); ratio < 0.6 || ratio > 1.7 {
			t.Errorf("%s: depth %d gives %d pieces, the tree has %d", scheme, depth, got.grants, cells[1].grants)
		}
	}
}
