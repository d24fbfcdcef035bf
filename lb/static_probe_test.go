package lb_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/lb"
	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/uts"
)

func probe(fresh func() search.Bisecter, ranks int, budget int64, seed uint64) lb.Probed {
	return lb.ProbeTree(fresh, ranks, lb.ProbeBudget{Nodes: budget, Waste: 1. / 32}, rand.New(rand.NewPCG(seed, 3)))
}

// binaryTree returns a function that makes empty shares of a model tree.
func binaryTree(h model.Halving) func() search.Bisecter {
	return func() search.Bisecter {
		b, err := model.NewBinary(h, false)
		if err != nil {
			panic(err)
		}
		return b
	}
}

func utsTree(name string) (fresh func() search.Bisecter, nodes float64) {
	p, published, _ := uts.FindSample(name)
	return func() search.Bisecter {
		tree, err := uts.New(p, search.Splitting{}, false)
		if err != nil {
			panic(err)
		}
		return tree
	}, float64(published.Size)
}

func randomFormula(t *testing.T, variables, ratio float64, all bool) func() search.Bisecter {
	family, err := gen.FindFamily("random")
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := family.MakeFormula(map[string]float64{"n": variables, "ratio": ratio}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule := sat.NewPaper(f)
	return func() search.Bisecter { return rule.NewSearch(sat.Options{All: all}) }
}

// accuracy probes a tree of W nodes with several seeds. It returns the geometric mean of the
// estimates of W, relative to W, the largest error as a factor, and the mean of σ.
func accuracy(t *testing.T, name string, nodes float64, fresh func(seed uint64) func() search.Bisecter) (bias, worst, sigma float64) {
	const runs, ranks = 10, 64
	var log, spent, sigmas, splits sample
	cut := 0
	for seed := range uint64(runs) {
		p := probe(fresh(seed), ranks, lb.ProbeNodes, seed)
		off := math.Log2(p.Nodes / nodes)
		log.add(off)
		worst = max(worst, math.Exp2(math.Abs(off)))
		sigmas.add(p.Sigma)
		spent.add(float64(p.Spent))
		splits.add(float64(p.Splits))
		if p.Cut > 0 {
			cut++
		}
		if p.Spent > lb.ProbeNodes+100 || p.Splits < 6 || p.Splits > search.MaxSplits || p.Parts < 1 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	bias, sigma = math.Exp2(log.mean()), sigmas.mean()
	t.Logf("%s: the estimate of W is %.2f of W, wrong by a factor of at most %.1f; σ %.3f; k %.1f; %.0f nodes; parts cut in %d of %d runs", name, bias, worst, sigma, splits.mean(), spent.mean(), cut, runs)
	return bias, worst, sigma
}

// For work that halves by a law, the estimates of W are good for small σ. The estimate of σ is
// somewhat too low, and the error grows with σ.
func TestProbeOfBinary(t *testing.T) {
	for _, c := range []struct {
		h                     model.Halving
		worst, least, largest float64 // factor of W; σ over the true one
	}{
		{model.Halving{Nodes: 1 << 24, Sigma: 0.05}, 1.3, 0.85, 1.15},
		{model.Halving{Nodes: 1 << 22, Sigma: 0.1}, 1.6, 0.8, 1.15},
		{model.Halving{Nodes: 1 << 22, Sigma: 0.2}, 3, 0.7, 1},
		{model.Halving{Nodes: 1 << 32, Sigma: 0.2}, 6, 0.6, 1},
		{model.Halving{Nodes: 1 << 22, Sigma: 0.28, Law: model.TwoPoint}, 6, 0.6, 1},
		{model.Halving{Nodes: 1 << 24, Sigma: 0.35, Law: model.Beta}, 30, 0.6, 1},
	} {
		name := c.h.Law.String()
		_, worst, sigma := accuracy(t, name, float64(c.h.Nodes), func(seed uint64) func() search.Bisecter {
			h := c.h
			h.Seed = seed
			return binaryTree(h)
		})
		if ratio := sigma / c.h.Sigma; worst > c.worst || ratio < c.least || ratio > c.largest {
			t.Errorf("%s, σ = %v: W is wrong by a factor of %.2f, want at most %v; σ is %.3f", name, c.h.Sigma, worst, c.worst, sigma)
		}
	}
}

// For trees the estimate of W is too low, by a factor that grows with the weight of the few
// largest subtrees: about 2 for T1 and a random formula, many times for T3, in which most of W
// is below one of 2000 children of the root.
func TestProbeOfTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("expands some million nodes")
	}
	same := func(fresh func() search.Bisecter) func(uint64) func() search.Bisecter {
		return func(uint64) func() search.Bisecter { return fresh }
	}
	for _, c := range []struct {
		name        string
		least, most float64 // of W
	}{{"T1", 0.4, 1.5}, {"T3", 0, 0.5}} {
		fresh, nodes := utsTree(c.name)
		if bias, _, _ := accuracy(t, c.name, nodes, same(fresh)); bias < c.least || bias > c.most {
			t.Errorf("%s: the estimate is %.2f of W, want %v to %v", c.name, bias, c.least, c.most)
		}
	}
	fresh := randomFormula(t, 50, 4, true)
	nodes, whole := 0, fresh()
	for whole.Bisect(0, 0); !whole.Empty(); {
		nodes += whole.Expand(1 << 20)
	}
	if bias, _, _ := accuracy(t, "random formula", float64(nodes), same(fresh)); bias < 0.3 || bias > 1.7 {
		t.Errorf("for a formula of %d nodes the estimate is %.2f of W", nodes, bias)
	}
}

// The chosen k costs about the allowed fraction of W: counted, not estimated.
func TestProbeBoundsTheWaste(t *testing.T) {
	fresh, nodes := utsTree("T1")
	p := probe(fresh, 64, lb.ProbeNodes, 1)
	share, redundant := fresh(), 0
	for part := range uint64(1) << p.Splits {
		_, others := share.Bisect(p.Splits, part)
		redundant += others
		share = drained(share, fresh)
	}
	waste := float64(redundant) / nodes
	t.Logf("k = %d: %.4f of W are expanded more than once", p.Splits, waste)
	if waste > 2./32 || waste < 0.25/32 {
		t.Errorf("%+v: %.4f of W are expanded more than once", p, waste)
	}
}

// drained returns an empty share: the given one if it is empty, otherwise a new one.
func drained(share search.Bisecter, fresh func() search.Bisecter) search.Bisecter {
	if share.Empty() {
		return share
	}
	return fresh()
}

// If all parts of the level are small enough, W is exact. The few nodes do not justify more
// splits than one part per rank, or 2^4 parts.
func TestProbeOfSmallTrees(t *testing.T) {
	for _, nodes := range []int64{1, 2, 10, 100, 900} {
		for _, ranks := range []int{2, 3, 16} {
			p := probe(binaryTree(model.Halving{Nodes: nodes, Sigma: 0.1}), ranks, lb.ProbeNodes, 1)
			least := int(math.Ceil(math.Log2(float64(ranks))))
			if p.Nodes != float64(nodes) || p.Cut > 0 || p.Splits < least || p.Splits > max(least, 4) {
				t.Errorf("%d nodes, %d ranks: %+v", nodes, ranks, p)
			}
		}
	}
	comb := func() search.Bisecter {
		c, err := model.NewComb(1, 1, false)
		if err != nil {
			panic(err)
		}
		return c
	}
	if p := probe(comb, 8, lb.ProbeNodes, 1); p.Nodes != 2 || p.Splits != 3 {
		t.Errorf("two nodes: %+v", p)
	}
}

// For any budget, ProbeTree stops near the budget and returns a usable k. One rank needs no
// probe.
func TestProbeBudget(t *testing.T) {
	fresh, _ := utsTree("T3")
	for _, budget := range []int64{-1, 0, 1, 10, 100, 1000, 10000} {
		for _, ranks := range []int{2, 100, 1 << 20} {
			least := int(math.Ceil(math.Log2(float64(ranks))))
			p := probe(fresh, ranks, budget, 1)
			if p.Spent > max(budget, 0)+200 || p.Splits < least || p.Sigma < 0 || p.Sigma > 0.5 {
				t.Errorf("budget %d, %d ranks: %+v", budget, ranks, p)
			}
			if again := probe(fresh, ranks, budget, 1); again != p {
				t.Errorf("budget %d, %d ranks: %+v, then %+v", budget, ranks, p, again)
			}
		}
	}
	if p := probe(nil, 1, lb.ProbeNodes, 1); p != (lb.Probed{}) {
		t.Errorf("one rank: %+v", p)
	}
}

// A work too large to finish: ProbeTree goes down until parts are small.
func TestProbeOfHugeTree(t *testing.T) {
	p := probe(binaryTree(model.Halving{Nodes: 1 << 60, Sigma: 0.02}), 1024, lb.ProbeNodes, 1)
	if p.Level < 50 || math.Abs(p.Nodes/(1<<60)-1) > 0.3 || p.Splits != lb.SplitsFor(p.Sigma, 1024, 0.05) {
		t.Errorf("%+v", p)
	}
}

// If no level has small parts, ProbeTree stops at the last level.
func TestProbeFindsNoSmallParts(t *testing.T) {
	for _, ranks := range []int{3, 5} { // levels of both parities
		p := probe(func() search.Bisecter { return endless{} }, ranks, 1<<20, 1)
		if p.Level < search.MaxSplits-1 || p.Parts == 0 || p.Cut == 0 || p.Splits < 2 {
			t.Errorf("%d ranks: %+v", ranks, p)
		}
	}
}

// endless is a share of which all parts are large.
type endless struct{ search.Bisecter }

func (endless) Bisect(k int, _ uint64) (expanded, redundant int) { return 0, k }
func (endless) Expand(limit int) int                             { return limit }
func (endless) Empty() bool                                      { return false }

// A part in which the search is decided is not expanded further, and its share is not used
// again.
func TestProbeMeetsWitness(t *testing.T) {
	decided := 0
	inner := randomFormula(t, 40, 2.5, false)
	fresh := func() search.Bisecter { return &watched{Bisecter: inner(), decided: &decided} }
	p := probe(fresh, 4, lb.ProbeNodes, 1)
	if decided == 0 || p.Splits < 2 || p.Spent == 0 {
		t.Errorf("%d parts were decided: %+v", decided, p)
	}
}

// watched panics if a decided share is used, and counts decided shares.
type watched struct {
	search.Bisecter
	decided *int
	was     bool
}

func (w *watched) Decided() bool {
	now := w.Bisecter.(search.Decider).Decided()
	if now && !w.was {
		w.was = true
		*w.decided++
	}
	return now
}

func (w *watched) Bisect(k int, part uint64) (expanded, redundant int) {
	if w.was {
		panic("a decided share was used again")
	}
	return w.Bisecter.Bisect(k, part)
}

func (w *watched) Expand(limit int) int {
	if w.was {
		panic("a decided share was used again")
	}
	return w.Bisecter.Expand(limit)
}

// The probe takes at most a hundredth of the run, by its own estimate, or a few hundred nodes. For even trees its k is mostly
// within two of the k for the true W and σ.
func TestProbeOfShortRuns(t *testing.T) {
	for _, size := range []struct{ nodes, ranks int64 }{{64_000, 64}, {256_000, 256}, {512_000, 64}, {1 << 24, 256}} {
		for _, sigma := range []float64{0.05, 0.1, 0.15} {
			const runs = 40
			near, want := 0, lb.CheapestSplits(sigma, int(size.ranks), float64(size.nodes), 1)
			for seed := range uint64(runs) {
				fresh := binaryTree(model.Halving{Nodes: size.nodes, Sigma: sigma, Seed: seed})
				p := lb.ProbeTree(fresh, int(size.ranks), lb.ProbeBudget{Nodes: lb.ProbeNodes, Share: 0.01}, rand.New(rand.NewPCG(seed, 3)))
				if most := max(400, int64(p.Nodes)/size.ranks/100+150); p.Spent > most { // the last part may exceed the bound
					t.Errorf("%d nodes, %d ranks, σ = %v: %+v, want at most %d nodes", size.nodes, size.ranks, sigma, p, most)
				}
				if p.Splits >= want-2 && p.Splits <= want+2 {
					near++
				}
			}
			if t.Logf("%d nodes, %d ranks, σ = %v: k is near %d in %d of %d runs", size.nodes, size.ranks, sigma, want, near, runs); near < runs*3/4 {
				t.Errorf("%d nodes, %d ranks, σ = %v: k is near %d in %d of %d runs", size.nodes, size.ranks, sigma, want, near, runs)
			}
		}
	}
}

// With the k of CheapestSplits, the largest load and the ways together take hardly longer than with the best k.
func TestCheapestSplits(t *testing.T) {
	for _, c := range []struct {
		nodes  int64
		ranks  int
		sigmas []float64
	}{{64_000, 64, []float64{0.05, 0.1, 0.2}}, {100_000, 16, []float64{0.05, 0.2}}, {512_000, 64, []float64{0.1, 0.2}}} {
		for _, sigma := range c.sigmas {
			chosen, best := lb.CheapestSplits(sigma, c.ranks, float64(c.nodes), 1), math.Inf(1)
			times := map[int]float64{}
			for k := int(math.Log2(float64(c.ranks))); k <= 17; k++ {
				times[k] = staticTime(c.nodes, c.ranks, sigma, k)
				best = min(best, times[k])
			}
			if t.Logf("%d nodes, %d ranks, σ = %v: k = %d takes %.3f of the best time", c.nodes, c.ranks, sigma, chosen, times[chosen]/best); !(times[chosen] <= 1.15*best) {
				t.Errorf("%d nodes, %d ranks, σ = %v: k = %d takes %v, the best k %v", c.nodes, c.ranks, sigma, chosen, times[chosen], best)
			}
		}
	}
}

// staticTime returns the mean time of static starts with random parts, in nodes.
func staticTime(nodes int64, ranks int, sigma float64, k int) (mean float64) {
	const trees = 12
	for seed := range uint64(trees) {
		b, err := model.NewBinary(model.Halving{Nodes: nodes, Sigma: sigma, Seed: seed}, false)
		if err != nil {
			panic(err)
		}
		loads, order, i := make([]int64, ranks), rand.New(rand.NewPCG(seed, 4)).Perm(1<<k), 0
		for size := range b.PartSizes(k) {
			loads[order[i]%ranks] += size
			i++
		}
		mean += (float64(slices.Max(loads)) + float64(k)*math.Ldexp(1, k)/float64(ranks)) / trees
	}
	return mean
}
