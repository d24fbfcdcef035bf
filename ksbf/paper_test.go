package ksbf

import (
	"fmt"
	"math"
	"testing"
)

// The claims of Gao and Rosenberg, "On Balancing Computational Load on Rings of Processors"
// (G1 to G6 of docs/claims.md). If the paper states an equality, the test requires equality.
// If the paper has a misprint, the test shows that the printed formula is wrong.

const (
	claimRanks = 20
	claimTree  = 13
	claimGrid  = 60
)

// visited is a task with the rank and the step of its execution.
type visited struct {
	task Task
	step int64
	rank int
}

// simulate runs KS-BF and returns the tasks in the order of execution.
func simulate(t testing.TB, w Workload, p int) (*Steps, []visited) {
	t.Helper()
	var all []visited
	s, err := Simulate("ks-bf", w, p, Options{Visit: func(step int64, rank int, task *Task) {
		all = append(all, visited{*task, step, rank})
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s, all
}

// eachTree calls f for every complete tree and number of ranks of the claims.
func eachTree(f func(n, p int)) {
	for p := 1; p <= claimRanks; p++ {
		for n := 1; n <= claimTree; n++ {
			f(n, p)
		}
	}
}

// eachGrid calls f for every grid and number of ranks of the claims.
func eachGrid(f func(n, p int)) {
	for p := 1; p <= claimRanks; p++ {
		for n := 1; n <= claimGrid; n++ {
			f(n, p)
		}
	}
}

// weight returns the number of right turns, computed from the number in heap order.
func weight(heap uint64) (n int) {
	for ; heap > 1; heap /= 2 {
		n += int(heap % 2)
	}
	return n
}

// G1 and G3, trees: task x runs on rank Wgt(x) mod p, in step ν(x) + π(x). ν(x) is the number
// of tasks before x, breadth first, on the same rank, and π(x) is that rank. So every rank i
// with work starts at step i and works without a gap. Reference: Gao and Rosenberg, lemma
// 1.1(a), theorem 2.2.
func TestG1G3Trees(t *testing.T) {
	eachTree(func(n, p int) {
		s, all := simulate(t, Complete{N: n}, p)
		if int64(len(all)) != TreeTaskCount(n) {
			t.Fatalf("n = %d, p = %d: %d tasks executed", n, p, len(all))
		}
		at := make(map[uint64]visited, len(all))
		for _, v := range all {
			at[v.task.HeapNumber()] = v
		}
		before := make([]int64, p)
		for x := uint64(1); x < 1<<n; x++ { // heap order is breadth first
			pi := weight(x) % p
			v, ok := at[x]
			if !ok || v.rank != pi || v.step != before[pi]+int64(pi) || v.task.RightTurns() != weight(x) {
				t.Fatalf("n = %d, p = %d, task %d: rank %d in step %d, want %d in %d", n, p, x, v.rank, v.step, pi, before[pi]+int64(pi))
			}
			before[pi]++
		}
		for i, r := range s.PerRank {
			if r.Executed > 0 && (r.First != int64(i) || r.IdleSteps() != 0) || r.Executed != before[i] {
				t.Fatalf("n = %d, p = %d, rank %d: %+v", n, p, i, r)
			}
		}
	})
}

// G1, grids: ⟨k,l⟩ runs on rank k mod p. G3 and G4: rank i starts at step i and works without
// a gap. Reference: Gao and Rosenberg, lemma 1.1(b), theorem 3.2.
func TestG1G4Grids(t *testing.T) {
	eachGrid(func(n, p int) {
		s, all := simulate(t, Grid{N: n}, p)
		seen := map[[2]int]bool{}
		for _, v := range all {
			k, l := v.task.Column(), v.task.Row()
			if v.rank != k%p || k < 0 || l < 0 || k+l >= n || seen[[2]int{k, l}] {
				t.Fatalf("n = %d, p = %d: ⟨%d,%d⟩ on rank %d", n, p, k, l, v.rank)
			}
			seen[[2]int{k, l}] = true
		}
		if int64(len(seen)) != GridTaskCount(n) {
			t.Fatalf("n = %d, p = %d: %d tasks executed", n, p, len(seen))
		}
		for i, r := range s.PerRank {
			if r.Executed > 0 && (r.First != int64(i) || r.IdleSteps() != 0) {
				t.Fatalf("n = %d, p = %d, rank %d: %+v", n, p, i, r)
			}
		}
	})
}

// G2: the work of rank i is the sum of C(n,k) over k ≡ i+1 (mod p), k ≥ 1. By roots of unity
// it is also 1/p·Σ_j (2cos(πj/p))^n·cos(πj(n−2i−2)/p), minus 1 for i = p−1. Without k ≥ 1, as
// (2.1) is printed, the sum is too large by one for i = p−1 and for no other i. Reference: Gao
// and Rosenberg, theorem 2.1.
func TestG2TreeWork(t *testing.T) {
	printed := func(n, p, i int) (sum int64) { // (2.1) as printed
		c := int64(1)
		for k := 0; k <= n; k++ {
			if (k-i-1)%p == 0 {
				sum += c
			}
			c = c * int64(n-k) / int64(k+1)
		}
		return sum
	}
	eachTree(func(n, p int) {
		s, _ := simulate(t, Complete{N: n}, p)
		for i, r := range s.PerRank {
			w := TreeRankTasks(n, p, i)
			roots := 0.0
			for j := range p {
				x := math.Pi * float64(j) / float64(p)
				roots += math.Pow(2*math.Cos(x), float64(n)) * math.Cos(x*float64(n-2*i-2)) / float64(p)
			}
			off := int64(0)
			if i == p-1 {
				off = 1
			}
			if r.Executed != w || printed(n, p, i) != w+off || int64(math.Round(roots)) != w+off {
				t.Errorf("n = %d, p = %d, rank %d: %d tasks, want %d; as printed %d, by roots %v", n, p, i, r.Executed, w, printed(n, p, i), roots)
			}
		}
	})
}

// G2: the work of every rank is within α_p^n of (2^n−1)/p, with the proof's α_p = 2cos(π/p),
// except for p = 2 with every n, and for p = 3 with n = 3 and 9. (For p = 1 the cosine is
// negative; the test uses its absolute value.) For every p some α_p below 2 is sufficient for
// all n. Reference: Gao and Rosenberg, theorem 2.1, (2.2).
func TestG2Deviation(t *testing.T) {
	needed := make([]float64, claimRanks+1) // the least sufficient α_p, over n
	eachTree(func(n, p int) {
		worst := 0.0
		for i := range p {
			worst = max(worst, math.Abs(float64(TreeRankTasks(n, p, i))-float64(TreeTaskCount(n))/float64(p)))
		}
		needed[p] = max(needed[p], math.Pow(worst, 1/float64(n)))
		fails := worst > math.Pow(Alpha(p), float64(n))*(1+1e-9)
		if wrong := p == 2 || p == 3 && (n == 3 || n == 9); fails != wrong {
			t.Errorf("n = %d, p = %d: deviation %v, α^n = %v", n, p, worst, math.Pow(Alpha(p), float64(n)))
		}
	})
	for p, alpha := range needed {
		if alpha >= 2 {
			t.Errorf("p = %d: no α_p below 2 is sufficient", p)
		}
	}
}

// G3: T_tree(n;p) is exactly the maximum of W_i + i over ranks with work. It is at most p +
// max W_i, and at most (2^n−1)/p + α_p^n + p. Reference: Gao and Rosenberg, theorems 2.2 and
// 1.1(a).
func TestG3TreeTime(t *testing.T) {
	looser := 0
	eachTree(func(n, p int) {
		s, _ := simulate(t, Complete{N: n}, p)
		largest := int64(0)
		for i := range p {
			largest = max(largest, TreeRankTasks(n, p, i))
		}
		if s.Time != TreeSteps(n, p) || s.Time > int64(p)+largest {
			t.Errorf("n = %d, p = %d: %d steps, want %d, printed bound %d", n, p, s.Time, TreeSteps(n, p), int64(p)+largest)
		}
		if s.Time < int64(p)+largest {
			looser++
		}
		if float64(s.Time) > TreeBound(n, p)*(1+1e-9) {
			t.Errorf("n = %d, p = %d: %d steps, bound %v", n, p, s.Time, TreeBound(n, p))
		}
	})
	if looser != claimRanks*claimTree {
		t.Errorf("p + max W_i is above the time in %d cases: expected all, %d", looser, claimRanks*claimTree)
	}
}

// G4: the work of rank i on a grid is the sum of n−k over k ≡ i (mod p), k < n, and equals the
// closed form with ⌊(n−i)/p⌋. A division that rounds towards 0 is wrong exactly if n < i.
// T_grid(n;p) = W_0(n), within C(n+1,2)/p + 3n/2 + 2. Reference: Gao and Rosenberg, theorems
// 3.1, 3.2 and 1.1(b).
func TestG4GridWork(t *testing.T) {
	eachGrid(func(n, p int) {
		s, _ := simulate(t, Grid{N: n}, p)
		for i, r := range s.PerRank {
			var sum int64
			for k := i; k < n; k += p {
				sum += int64(n - k)
			}
			q := int64((n - i) / p)
			truncated := (q+1)*int64(n-i) - int64(p)*q*(q+1)/2
			if r.Executed != sum || GridRankTasks(n, p, i) != sum || (truncated != sum) != (n < i) {
				t.Errorf("n = %d, p = %d, rank %d: %d tasks, want %d, in closed form %d, truncated %d", n, p, i, r.Executed, sum, GridRankTasks(n, p, i), truncated)
			}
		}
		if s.Time != GridSteps(n, p) || s.Time != s.PerRank[0].Executed || float64(s.Time) > GridBound(n, p) {
			t.Errorf("n = %d, p = %d: %d steps, want %d, bound %v", n, p, s.Time, GridSteps(n, p), GridBound(n, p))
		}
	})
}

// G5: on the bad families with weight log2 p, log p + 1 ranks do all the work (the paper says
// about log p), so that the speedup is below this number for any size. Reference: Gao and
// Rosenberg, section 1.3.
func TestG5BadFamilies(t *testing.T) {
	for _, family := range BadFamilies {
		for _, log := range []int{1, 2, 3, 4} {
			p := 1 << log
			levels := 18
			if family == "complete" { // grows only linearly with its levels
				levels = 60
			}
			s, all := simulate(t, Bad{Family: family, Levels: levels, Weight: log}, p)
			if len(all) < 16*p {
				t.Errorf("%s, p = %d: only %d tasks", family, p, len(all))
			}
			working := 0
			for _, r := range s.PerRank {
				if r.Executed > 0 {
					working++
				}
			}
			if working != min(p, log+1) || s.Speedup() > float64(log+1) {
				t.Errorf("%s, p = %d: %d ranks work, speedup %.2f", family, p, working, s.Speedup())
			}
		}
	}
}

// The effect of a rank that never works, for complete trees: for any p the speedup is at most
// about √(πn/2): about 4.0, 5.7 and 6.9 for n = 10, 20 and 30.
func TestSpeedupOfCompleteTreesIsBounded(t *testing.T) {
	for n, want := range map[int]float64{10: 4.0, 20: 5.7, 30: 6.9} {
		best := 0.0
		for p := 1; p <= 2*n; p++ {
			best = max(best, float64(TreeTaskCount(n))/float64(TreeSteps(n, p)))
		}
		if math.Abs(best-want) > 0.1 || best > 1.05*math.Sqrt(math.Pi*float64(n)/2) {
			t.Errorf("n = %d: the best speedup is %.2f, want about %.1f", n, best, want)
		}
	}
}

// G6: the placement of T_6, of height 5 and with 63 tasks in heap order, on 4 ranks. Task 38
// is on rank 2 and task 39 on rank 3; in the paper's table 39 is on rank 2. Reference: Gao and
// Rosenberg, table 1.
func TestG6Table1(t *testing.T) {
	_, all := simulate(t, Complete{N: 6}, 4)
	rows := make([][]uint64, 4)
	for _, v := range all {
		rows[v.rank] = append(rows[v.rank], v.task.HeapNumber())
	}
	want := [][]uint64{ // by weight mod 4, computed by hand
		{1, 2, 4, 8, 16, 31, 32, 47, 55, 59, 61, 62},
		{3, 5, 6, 9, 10, 12, 17, 18, 20, 24, 33, 34, 36, 40, 48, 63},
		{7, 11, 13, 14, 19, 21, 22, 25, 26, 28, 35, 37, 38, 41, 42, 44, 49, 50, 52, 56},
		{15, 23, 27, 29, 30, 39, 43, 45, 46, 51, 53, 54, 57, 58, 60},
	}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", rows, want)
	}
}
