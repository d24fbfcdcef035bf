package rings

import (
	"context"
	"fmt"
	"math"

	"treesplit/internal/parallel"
	"treesplit/ksbf"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// boundsPlan defines the sizes for which the bounds of Gao and Rosenberg are compared with
// simulated times.
type boundsPlan struct {
	ranks, trees, grids []int
	deviations          int   // largest number of levels of trees whose deviations are listed
	curves              []int // numbers of levels of trees whose speedup is drawn
}

var fullPlan = boundsPlan{
	ranks: []int{2, 3, 4, 8, 16, 20}, trees: []int{5, 9, 13, 17}, grids: []int{10, 30, 60, 300}, deviations: 30, curves: []int{10, 20, 30},
}

// measureSteps simulates KS-BF for all sizes and numbers of ranks.
func measureSteps(ctx context.Context, l *lab.Lab, ranks, sizes []int, work func(n int) ksbf.Workload) ([]int64, error) {
	return parallel.SideBySide(ctx, l.Workers, len(ranks)*len(sizes), func(_ context.Context, i int) (int64, error) {
		s, err := ksbf.Simulate("ks-bf", work(sizes[i%len(sizes)]), ranks[i/len(sizes)], ksbf.Options{})
		if err != nil {
			return 0, err
		}
		return s.Time, nil
	})
}

// treeBounds compares the times of complete trees with theorems 2.2 and 1.1a.
func treeBounds(ctx context.Context, l *lab.Lab, plan boundsPlan) (figure.Table, error) {
	t := figure.Table{Name: "ring-bounds-tree", Title: "Complete trees: steps", Head: []string{
		"p", "n", "tasks", "measured", "max W_i + i", "printed p + max W_i", "theorem 1.1a", "speedup", "ranks with work"}}
	times, err := measureSteps(ctx, l, plan.ranks, plan.trees, func(n int) ksbf.Workload { return ksbf.Complete{N: n} })
	for i, time := range times {
		p, n := plan.ranks[i/len(plan.trees)], plan.trees[i%len(plan.trees)]
		largest := int64(0)
		for k := range p {
			largest = max(largest, ksbf.TreeRankTasks(n, p, k))
		}
		t.AppendRow(fmt.Sprint(p), fmt.Sprint(n), fmt.Sprint(ksbf.TreeTaskCount(n)), fmt.Sprint(time), fmt.Sprint(ksbf.TreeSteps(n, p)),
			fmt.Sprint(int64(p)+largest), fmt.Sprintf("%.1f", ksbf.TreeBound(n, p)), fmt.Sprintf("%.2f", float64(ksbf.TreeTaskCount(n))/float64(time)), fmt.Sprint(min(n, p)))
	}
	return t, err
}

// gridBounds compares the times of grids with theorems 3.2 and 1.1b.
func gridBounds(ctx context.Context, l *lab.Lab, plan boundsPlan) (figure.Table, error) {
	t := figure.Table{Name: "ring-bounds-grid", Title: "Pyramidal grids: steps", Head: []string{"p", "n", "tasks", "measured", "W_0(n)", "theorem 1.1b", "speedup"}}
	times, err := measureSteps(ctx, l, plan.ranks, plan.grids, func(n int) ksbf.Workload { return ksbf.Grid{N: n} })
	for i, time := range times {
		p, n := plan.ranks[i/len(plan.grids)], plan.grids[i%len(plan.grids)]
		t.AppendRow(fmt.Sprint(p), fmt.Sprint(n), fmt.Sprint(ksbf.GridTaskCount(n)), fmt.Sprint(time), fmt.Sprint(ksbf.GridSteps(n, p)),
			fmt.Sprintf("%.1f", ksbf.GridBound(n, p)), fmt.Sprintf("%.2f", float64(ksbf.GridTaskCount(n))/float64(time)))
	}
	return t, err
}

// deviation returns the largest distance of a rank's work from the mean.
func deviation(n, p int) (worst float64) {
	for i := range p {
		worst = max(worst, math.Abs(float64(ksbf.TreeRankTasks(n, p, i))-float64(ksbf.TreeTaskCount(n))/float64(p)))
	}
	return worst
}

// deviations compares theorem 2.1's α_p^n with the loads. The loads are sums of binomials; the
// tests show that ranks execute these numbers of tasks.
func deviations(plan boundsPlan) figure.Table {
	t := figure.Table{Name: "ring-bounds-load", Title: fmt.Sprintf("Distance of loads from (2^n−1)/p, n up to %d", plan.deviations), Head: []string{
		"p", "α_p = 2cos(π/p)", "n where it is above α_p^n", "least α_p that does", "at n"}}
	for _, p := range plan.ranks {
		fails, least, at := "", 0.0, 0
		count := 0
		for n := 1; n <= plan.deviations; n++ {
			d := deviation(n, p)
			if a := math.Pow(d, 1/float64(n)); a > least {
				least, at = a, n
			}
			if d > math.Pow(ksbf.Alpha(p), float64(n))*(1+1e-9) {
				fails += fmt.Sprintf(" %d", n)
				count++
			}
		}
		switch count {
		case 0:
			fails = "none"
		case plan.deviations:
			fails = "all"
		}
		t.AppendRow(fmt.Sprint(p), fmt.Sprintf("%.4f", ksbf.Alpha(p)), fails, fmt.Sprintf("%.4f", least), fmt.Sprint(at))
	}
	return t
}

// speedupLimit shows that the speedup of complete trees has a limit that further ranks do not
// raise.
func speedupLimit(plan boundsPlan) (figure.Table, figure.Figure) {
	t := figure.Table{Name: "ring-bounds-limit", Title: "Complete trees: the best speedup on any number of ranks", Head: []string{"n", "best speedup", "on p", "√(πn/2)"}}
	f := figure.Figure{Name: "ring-bounds", Title: "Speedup of KS-BF on complete trees", X: "ranks", Y: "speedup", LogX: true}
	for _, n := range plan.curves {
		c := figure.Curve{Name: fmt.Sprintf("%d levels", n)}
		best, at := 0.0, 0
		for p := 1; p <= 64; p++ {
			s := float64(ksbf.TreeTaskCount(n)) / float64(ksbf.TreeSteps(n, p))
			c.X, c.Y = append(c.X, float64(p)), append(c.Y, s)
			if s > best {
				best, at = s, p
			}
		}
		f.Curves = append(f.Curves, c)
		t.AppendRow(fmt.Sprint(n), fmt.Sprintf("%.2f", best), fmt.Sprint(at), fmt.Sprintf("%.2f", math.Sqrt(math.Pi*float64(n)/2)))
	}
	return t, f
}

// Bounds compares Gao and Rosenberg's theorems with simulated times.
func Bounds(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := fullPlan
	trees, err := treeBounds(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	grids, err := gridBounds(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	limit, curves := speedupLimit(plan)
	return figure.Section{Title: "Rings: theorems 1.1, 2.1, 2.2 and 3.2 beside what was measured", Tables: []figure.Table{trees, deviations(plan), limit, grids}, Figures: []figure.Figure{curves}, Text: []string{
		"measured: steps of a simulation in which every rank executes a task a step and passes a " +
			"child on. max W_i + i, over ranks with work, is the time of theorem 2.2 exactly; the " +
			"printed p + max W_i is looser. Theorem 1.1a: (2^n−1)/p + α_p^n + p; 1.1b: " +
			"C(n+1,2)/p + 3n/2 + 2. T_grid is W_0(n) exactly.",
		"With the proof's α_p = 2cos(π/p), (2.2) fails where the table of loads says so; some α_p below 2 does for all n. W_i is (2.1) with k ≥ 1: as printed it is one too many for i = p−1.",
		"Only ranks whose number is a weight that occurs ever work: n ranks of p. " +
			"So the speedup on complete trees is at most about √(πn/2), whatever p, and \"almost " +
			"optimal\" holds for p up to about √n. Grids are fine for n much above p.",
	}}, nil
}
