package sanders

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"treesplit/internal/parallel"
	"treesplit/search/model"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// exponentEpsilon is ε of figure 2: the largest load must be at most 1+2ε times the mean.
const exponentEpsilon = 0.1

var (
	exponentSigmas = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4}
	exponentLaws   = []model.Law{model.TwoPoint, model.Beta}
)

// exponentPlan defines for which numbers of ranks, 2^from to 2^to, and over how many trees the
// number of splits is measured.
type exponentPlan struct {
	from, to int
	trees    int
}

// sufficientExponent returns the growth of the 2^k parts that theorem 5 requires, as an exponent of
// P. The problem size grows at least as fast, because a part has at least one node.
func sufficientExponent(sigma float64) float64 { return 2 / math.Log2(1/(2*sigma*sigma+0.5)) }

// necessaryExponent returns the growth of the 2^k parts with which the largest part of theorem 2 is
// as small as the mean load.
func necessaryExponent(sigma float64) float64 { return 1 / math.Log2(1/(sigma+0.5)) }

// necessarySplits returns the least k for which the largest part of theorem 2 is at most 1+2ε times
// the mean load of 2^n ranks.
func necessarySplits(sigma, epsilon float64, n int) int {
	return int(math.Ceil(max(float64(n), (float64(n)-math.Log2(1+2*epsilon))*necessaryExponent(sigma))))
}

// sufficientSplits returns the k of theorem 5 for 2^n ranks: lb.SplitsFor without its limit of
// search.MaxSplits.
func sufficientSplits(sigma, epsilon float64, n int) int {
	return int(math.Ceil((float64(n) - math.Log2(epsilon)) * sufficientExponent(sigma)))
}

// leastSplits returns the least number of splits after which the largest load of 2^n ranks is at
// most 1+2ε times their mean, averaged over trees. It also returns an interpolated number, at most
// 1 below k: the point at which the line through the logarithms of the excess over the mean reaches
// 2ε.
func leastSplits(law model.Law, sigma, epsilon float64, n, trees int) (k int, fraction float64, err error) {
	all := make([]*parts, trees)
	for i := range all {
		if all[i], err = newParts(law, sigma, uint64(i), 1<<n); err != nil {
			return 0, 0, err
		}
	}
	before := math.NaN()
	for k = 1; ; k++ {
		above := -1.0
		for seed, p := range all {
			if err := p.splitAllParts(); err != nil {
				return 0, 0, err
			}
			if k >= n {
				above += math.Ldexp(p.largestLoad(1<<n, rand.New(rand.NewPCG(uint64(seed), uint64(k)))), n) / float64(trees)
			}
		}
		switch {
		case k < n || above > 2*epsilon:
		case k == n || above <= 0:
			return k, float64(k), nil
		default:
			return k, float64(k) - math.Log(2*epsilon/above)/math.Log(before/above), nil
		}
		before = above
	}
}

// exponents holds the measurements for one law and σ.
type exponents struct {
	law      model.Law
	sigma    float64
	n        []float64
	k        []int     // by n: the least
	fraction []float64 // by n
	slope    float64   // of fraction over n
	r2       float64
}

// measureExponents measures the exponent of the number of parts for each law and σ.
func measureExponents(ctx context.Context, l *lab.Lab, laws []model.Law, sigmas []float64, plan exponentPlan) ([]exponents, error) {
	type least struct {
		k        int
		fraction float64
	}
	each := plan.to - plan.from + 1
	got, err := parallel.SideBySide(ctx, l.Workers, len(laws)*len(sigmas)*each, func(_ context.Context, i int) (least, error) {
		// The largest n comes first, so that all cores finish at about the same time.
		at, n := i%(len(laws)*len(sigmas)), plan.to-i/(len(laws)*len(sigmas))
		k, fraction, err := leastSplits(laws[at/len(sigmas)], sigmas[at%len(sigmas)], exponentEpsilon, n, plan.trees)
		return least{k, fraction}, err
	})
	if err != nil {
		return nil, err
	}
	var all []exponents
	for at := range len(laws) * len(sigmas) {
		e := exponents{law: laws[at/len(sigmas)], sigma: sigmas[at%len(sigmas)]}
		for n := plan.from; n <= plan.to; n++ {
			g := got[(plan.to-n)*len(laws)*len(sigmas)+at]
			e.n, e.k, e.fraction = append(e.n, float64(n)), append(e.k, g.k), append(e.fraction, g.fraction)
		}
		_, e.slope, e.r2 = figure.FitLinear(e.n, e.fraction)
		all = append(all, e)
	}
	return all, nil
}

// StaticFigure2 is Sanders, static load balancing, figure 2: exponents of the bounds of the
// isoefficiency as a function of σ.
func StaticFigure2(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := exponentPlan{from: 3, to: 10, trees: 40}
	all, err := measureExponents(ctx, l, exponentLaws, exponentSigmas, plan)
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{Name: "static-fig2", Title: "Exponents of P in the number of parts", Head: []string{
		"law", "σ", "necessary", "measured", "R²", "sufficient"}}
	for _, n := range []int{plan.from, 6, plan.to} {
		t.Head = append(t.Head, fmt.Sprintf("P = %d: theorem 2", 1<<n), "k", "theorem 5")
	}
	f := figure.Figure{Name: "static-fig2", Title: "Exponents of the bounds of the isoefficiency", X: "σ", Y: "exponent of P"}
	curves := map[model.Law]*figure.Curve{}
	for _, law := range exponentLaws {
		curves[law] = &figure.Curve{Name: fmt.Sprintf("measured, %v", law)}
	}
	for _, e := range all {
		row := []string{e.law.String(), fmt.Sprint(e.sigma), fmt.Sprintf("%.2f", necessaryExponent(e.sigma)), fmt.Sprintf("%.2f", e.slope),
			fmt.Sprintf("%.4f", e.r2), fmt.Sprintf("%.2f", sufficientExponent(e.sigma))}
		for _, n := range []int{plan.from, 6, plan.to} {
			row = append(row, fmt.Sprint(necessarySplits(e.sigma, exponentEpsilon, n)), fmt.Sprint(e.k[n-plan.from]), fmt.Sprint(sufficientSplits(e.sigma, exponentEpsilon, n)))
		}
		t.AppendRow(row...)
		c := curves[e.law]
		c.X, c.Y = append(c.X, e.sigma), append(c.Y, e.slope)
	}
	necessary, sufficient := figure.Curve{Name: "necessary (theorem 2)", Reference: true}, figure.Curve{Name: "sufficient (theorem 5)", Reference: true}
	for _, sigma := range exponentSigmas {
		necessary.X, necessary.Y = append(necessary.X, sigma), append(necessary.Y, necessaryExponent(sigma))
		sufficient.X, sufficient.Y = append(sufficient.X, sigma), append(sufficient.Y, sufficientExponent(sigma))
	}
	f.Curves = []figure.Curve{necessary, sufficient}
	for _, law := range exponentLaws {
		f.Curves = append(f.Curves, *curves[law])
	}
	return figure.Section{Title: "Static figure 2: exponents of the isoefficiency over σ", Tables: []figure.Table{t}, Figures: []figure.Figure{f}, Text: []string{
		fmt.Sprintf("sufficient: 2/log(1/(2σ²+1/2)), the k of theorem 5 over log P; necessary: 1/log(1/(σ+1/2)), "+
			"where the largest part of theorem 2 is as small as the mean load. measured: the least k "+
			"after which the mean of the largest load of P ranks over %d trees is at most %v times their "+
			"mean load, read between whole k, as a slope over log P for P = %d to %d. k: that least k, "+
			"between the least that theorem 2's largest part allows and that of theorem 5. (The program "+
			"deals out 2^63 parts at most.)", plan.trees, 1+2*exponentEpsilon, 1<<plan.from, 1<<plan.to),
		"The curves of the bounds are computed from the formulas of sections 5.2 and 5.3; the paper prints no numbers for figure 2. Parts of less than 1/64 of the mean load are not listed but drawn in sums.",
	}}, nil
}
