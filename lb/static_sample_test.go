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

// binaryTree returns a function that makes empty shares of a model tree.
func binaryTree(h model.Halving) func() search.Work {
	return func() search.Work {
		b, err := model.NewBinary(h, false)
		if err != nil {
			panic(err)
		}
		return b
	}
}

func utsTree(name string) (fresh func() search.Work, nodes float64) {
	p, published, _ := uts.FindSample(name)
	return func() search.Work {
		tree, err := uts.New(p, search.Splitting{}, false)
		if err != nil {
			panic(err)
		}
		return tree
	}, float64(published.Size)
}

func randomFormula(t *testing.T, variables, ratio float64, all bool) func() search.Work {
	family, err := gen.FindFamily("random")
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := family.MakeFormula(map[string]float64{"n": variables, "ratio": ratio}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule := sat.NewPaper(f)
	return func() search.Work { return rule.NewSearch(sat.Options{All: all}) }
}

// takeSamples takes all samples of a static start.
func takeSamples(fresh func() search.Work, ranks int, seed uint64) (all *lb.Sample, most int64) {
	return lb.TakeSamples(fresh, ranks, true, rand.New(rand.NewPCG(seed, 3)))
}

// accuracy samples a tree of W nodes on 64 ranks with several seeds. It returns the geometric mean of the estimates of
// W, relative to W, the largest error as a factor, and the mean of σ.
func accuracy(t *testing.T, name string, nodes float64, fresh func(seed uint64) func() search.Work) (bias, worst, sigma float64) {
	const runs, ranks = 10, 64
	var log, spent, sigmas, splits sample
	for seed := range uint64(runs) {
		s, most := takeSamples(fresh(seed), ranks, seed)
		w, sigma, _ := s.Estimate()
		off := math.Log2(w / nodes)
		log.add(off)
		worst = max(worst, math.Exp2(math.Abs(off)))
		sigmas.add(sigma)
		spent.add(float64(most))
		k := s.ChooseSplits(ranks, 0)
		splits.add(float64(k))
		if k < 6 || k > search.MaxSplits {
			t.Errorf("%s: k = %d", name, k)
		}
	}
	bias, sigma = math.Exp2(log.mean()), sigmas.mean()
	t.Logf("%s: the estimate of W is %.2f of W, wrong by a factor of at most %.1f; σ %.3f; k %.1f; at most %.0f nodes of %.0f of a rank", name, bias, worst, sigma, splits.mean(), spent.mean(), nodes/ranks)
	return bias, worst, sigma
}

// For work that halves by a law, the estimates of W and σ are good for small σ. Both are too low for large σ.
func TestSampleOfBinary(t *testing.T) {
	for _, c := range []struct {
		h                     model.Halving
		worst, least, largest float64 // factor of W; σ over the true one
	}{
		{model.Halving{Nodes: 1 << 24, Sigma: 0.05}, 1.1, 0.9, 1.1},
		{model.Halving{Nodes: 1 << 22, Sigma: 0.1}, 1.2, 0.85, 1.1},
		{model.Halving{Nodes: 1 << 22, Sigma: 0.2}, 2, 0.75, 1},
		{model.Halving{Nodes: 1 << 32, Sigma: 0.2}, 2, 0.85, 1.05},
		{model.Halving{Nodes: 1 << 22, Sigma: 0.28, Law: model.TwoPoint}, 6, 0.6, 1},
		{model.Halving{Nodes: 1 << 24, Sigma: 0.35, Law: model.Beta}, 30, 0.6, 1},
	} {
		name := c.h.Law.String()
		_, worst, sigma := accuracy(t, name, float64(c.h.Nodes), func(seed uint64) func() search.Work {
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
// largest subtrees: less than two for T1, four for a random formula, and many times for T3, in which most of W
// is below one of 2000 children of the root.
func TestSampleOfTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("expands some million nodes")
	}
	same := func(fresh func() search.Work) func(uint64) func() search.Work {
		return func(uint64) func() search.Work { return fresh }
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
	for whole.(search.Bisecter).Bisect(0, 0); !whole.Empty(); {
		nodes += whole.Expand(1 << 20)
	}
	if bias, _, _ := accuracy(t, "random formula", float64(nodes), same(fresh)); bias < 0.1 || bias > 1.7 {
		t.Errorf("for a formula of %d nodes the estimate is %.2f of W", nodes, bias)
	}
}

// With a bound on the ways, the chosen k costs about the allowed fraction of W: counted, not estimated.
func TestSampleBoundsTheWays(t *testing.T) {
	fresh, nodes := utsTree("T1")
	s, _ := takeSamples(fresh, 64, 1)
	k := s.ChooseSplits(64, 1./32)
	share, redundant := fresh(), 0
	for part := range uint64(1) << k {
		_, others := share.(search.Bisecter).Bisect(k, part)
		redundant += others
		share = drained(share, fresh)
	}
	again := float64(redundant) / nodes
	t.Logf("k = %d: %.4f of W are expanded more than once", k, again)
	if again > 2./32 || again < 0.25/32 {
		t.Errorf("k = %d: %.4f of W are expanded more than once", k, again)
	}
}

// drained returns an empty share: the given one if it is empty, otherwise a new one.
func drained(share search.Work, fresh func() search.Work) search.Work {
	if share.Empty() {
		return share
	}
	return fresh()
}

// The estimates of W by the first round are right in the mean over all seeds, for any number of ranks. Later rounds
// depend on the first one.
func TestSampleIsUnbiased(t *testing.T) {
	for _, nodes := range []int64{1, 2, 10, 100, 900} {
		for _, ranks := range []int{2, 3, 16} {
			const runs = 4000
			var w sample
			fresh := binaryTree(model.Halving{Nodes: nodes, Sigma: 0.1, Seed: 5})
			for seed := range uint64(runs) {
				s, _ := lb.TakeSamples(fresh, ranks, false, rand.New(rand.NewPCG(seed, 7)))
				estimate, _, _ := s.Estimate()
				w.add(estimate)
			}
			if off := w.mean()/float64(nodes) - 1; math.Abs(off) > 0.2 {
				t.Errorf("%d nodes, %d ranks: the mean of the estimates is wrong by %.3f", nodes, ranks, off)
			}
		}
	}
}

// A work too large to finish: dives go down until parts are small.
func TestSampleOfHugeTree(t *testing.T) {
	s, most := takeSamples(binaryTree(model.Halving{Nodes: 1 << 60, Sigma: 0.02}), 256, 1)
	w, sigma, _ := s.Estimate()
	if k := s.ChooseSplits(256, 0); math.Abs(w/(1<<60)-1) > 0.3 || k != lb.SplitsFor(sigma, 256, 0.05) || most > lb.SampleMost+2000 {
		t.Errorf("W = %v, σ = %v, k = %d, %d nodes", w, sigma, k, most)
	}
}

// If no level has small parts, a dive stops at the last level, and the sample at its bound.
func TestSampleFindsNoSmallParts(t *testing.T) {
	for _, ranks := range []int{3, 5} {
		s, most := takeSamples(func() search.Work { return endless{} }, ranks, 1)
		if k := s.ChooseSplits(ranks, 0); k < 2 || k > search.MaxSplits || most > lb.SampleMost+2000 {
			t.Errorf("%d ranks: k = %d, %d nodes", ranks, k, most)
		}
	}
}

// endless is a share of which all parts are large.
type endless struct{ search.Bisecter }

func (endless) Bisect(k int, _ uint64) (expanded, redundant int) { return 0, k }
func (endless) Expand(limit int) int                             { return limit }
func (endless) Empty() bool                                      { return false }
func (endless) Split([]byte) (piece []byte, ok bool)             { return nil, false }

// A part in which the search is decided is not expanded further, and its share is not used
// again.
func TestSampleMeetsWitness(t *testing.T) {
	decided := 0
	inner := randomFormula(t, 40, 2.5, false)
	fresh := func() search.Work { return &watched{Bisecter: inner().(search.Bisecter), decided: &decided} }
	s, most := takeSamples(fresh, 64, 1)
	if k := s.ChooseSplits(64, 0); decided == 0 || k < 6 || most == 0 {
		t.Errorf("%d parts were decided: k = %d, %d nodes", decided, k, most)
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

// A sample takes at most a tenth of the nodes of a rank, or some hundred nodes. k is mostly within one of the k for the true W
// and σ, or within two if the nodes are in atoms.
func TestSampleOfShortRuns(t *testing.T) {
	for _, size := range []struct{ nodes, ranks int64 }{{64_000, 64}, {256_000, 256}, {512_000, 64}, {1 << 24, 256}} {
		for _, grain := range []int64{1, 32} {
			for _, sigma := range []float64{0.05, 0.1, 0.15, 0.2} {
				const runs = 20
				near, tolerance, want := 0, 1+int(grain/32), lb.CheapestSplits(sigma, int(size.ranks), float64(size.nodes), 1)
				var spent sample
				for seed := range uint64(runs) {
					fresh := binaryTree(model.Halving{Nodes: size.nodes, Sigma: sigma, Seed: seed, Grain: grain, Law: model.Beta})
					s, most := takeSamples(fresh, int(size.ranks), seed)
					spent.add(float64(most))
					if k := s.ChooseSplits(int(size.ranks), 0); k >= want-tolerance && k <= want+tolerance {
						near++
					}
				}
				if bound := max(160, float64(size.nodes/size.ranks)/10); spent.mean() > bound {
					t.Errorf("%d nodes, %d ranks, atoms of %d, σ = %v: a rank expanded %.0f nodes, want at most %.0f", size.nodes, size.ranks, grain, sigma, spent.mean(), bound)
				}
				t.Logf("%d nodes, %d ranks, atoms of %d, σ = %v: k is near %d in %d of %d runs, at most %.0f nodes", size.nodes, size.ranks, grain, sigma, want, near, runs, spent.mean())
				if near < runs*3/4 {
					t.Errorf("%d nodes, %d ranks, atoms of %d, σ = %v: k is near %d in %d of %d runs", size.nodes, size.ranks, grain, sigma, want, near, runs)
				}
			}
		}
	}
}

// A sample reaches another rank as it is. A damaged one is refused or is another sample that can be used.
func FuzzSample(f *testing.F) {
	s, _ := takeSamples(binaryTree(model.Halving{Nodes: 5000, Sigma: 0.2}), 16, 1)
	body := s.Append(nil)
	if got, err := lb.ParseSample(body); err != nil || *got != *s {
		f.Errorf("%+v, %v, want %+v", got, err, s)
	}
	f.Add(body)
	f.Add([]byte{})
	f.Add([]byte{0, 0, 64, 1, 1, 1})
	f.Add([]byte{0, 0, 3, 0, 1, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := lb.ParseSample(body)
		if err != nil {
			return
		}
		for _, waste := range []float64{0, 1. / 32} {
			if k := s.ChooseSplits(5, waste); k < 3 || k > search.MaxSplits {
				t.Errorf("%x: k = %d", body, k)
			}
		}
	})
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
