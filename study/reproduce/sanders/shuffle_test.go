package sanders

import (
	"context"
	"reflect"
	"testing"

	"treesplit/lb"
	"treesplit/sim"
	"treesplit/study/reproduce/lab"
)

// The claims of Sanders, "Better Algorithms for Parallel Backtracking" (S1, S2, S3 and S6 of
// docs/claims.md; S4 and S5 are tested in package lb), with small experiments. The experiments
// shuffle-… of the verb reproduce are the same with more runs, and docs/poll-and-shuffle.md has
// their results. Bounds were set after the results of runs were known.

// built returns a machine by its name.
func built(t *testing.T, name string) sim.Machine {
	t.Helper()
	m, err := builtinMachine(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// efficiencies runs contenders and returns their efficiencies.
func efficiencies(t *testing.T, all ...contender) (e []float64) {
	t.Helper()
	got, err := runAverages(context.Background(), quick(t), all)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range got {
		e = append(e, a.Efficiency(all[i].p))
	}
	return e
}

// S1: on a hypercube the overhead beyond T_seq/n is O(h) under poll and shuffle, and O(h log n) is
// a bound under random polling. From 64 to 1024 ranks the overhead of poll and shuffle is a linear
// function of h. The overhead of random polling is smaller, except on even splits, and closer to a
// linear function of h log n than of h. Reference: Sanders, theorem 1.
func TestS1OverheadGrowsWithHeight(t *testing.T) {
	plan := growthPlan{ranks: []int{64, 256, 1024}, sigmas: []float64{0, 0.2, 0.3, 0.4}, most: 1024}
	points, err := measureOverheads(context.Background(), quick(t), "ncube2", plan)
	if err != nil {
		t.Fatal(err)
	}
	h, hlog := boundLaws[0], boundLaws[1]
	for _, c := range []struct {
		scheme        string
		better, worse law
		least         float64 // R² of the better fit
	}{{"shuffle", h, hlog, 0.97}, {"rp", hlog, h, 0.94}} {
		_, slope, good := fitOverheadLaw(points, c.scheme, c.better)
		_, _, bad := fitOverheadLaw(points, c.scheme, c.worse)
		t.Logf("%s: %.3f ms·%s, R² = %.4f; over %s %.4f", c.scheme, slope, c.better.name, good, c.worse.name, bad)
		if slope <= 0 || good < c.least || good < bad {
			t.Errorf("%s: R² = %.4f over %s, %.4f over %s", c.scheme, good, c.better.name, bad, c.worse.name)
		}
	}
	for _, g := range points {
		if even := g.sigma == 0; even != (g.shuffle < g.rp) {
			t.Errorf("σ = %v, P = %d: poll and shuffle takes %.1f ms, random polling %.1f", g.sigma, g.p, g.shuffle, g.rp)
		}
	}
}

// S2, by its consequence: on a mesh random polling is faster if hops are cheap, and poll and
// shuffle is faster if hops are expensive, even if a cycle leaves out its last r log log n phases.
// The claim that leaving them out is better is false at this size: 3 of 10 phases remain, and a
// cycle of all dimensions is faster at either cost. Reference: Sanders, section 4.1.
func TestS2DearHopsFavourShuffle(t *testing.T) {
	for _, hops := range []float64{1, 100} {
		m := scaleHopTime(built(t, "mesh"), hops)
		e := efficiencies(t, networkVariants(m, 1024)...)
		rp, shuffle, always, all := e[0], e[1], e[2], e[3]
		t.Logf("t_h = %v: random polling %.3f, poll and shuffle %.3f, always %.3f, all dimensions %.3f", m.PerHop.Duration(), rp, shuffle, always, all)
		if dear := hops > 1; dear != (shuffle > rp) || dear != (always > rp) || dear != (all > rp) {
			t.Errorf("t_h = %v: random polling %.3f, poll and shuffle %.3f, always %.3f, all dimensions %.3f", m.PerHop.Duration(), rp, shuffle, always, all)
		}
		if all < 1.1*max(shuffle, always) {
			t.Errorf("t_h = %v: all dimensions %.3f, some left out %.3f, always %.3f", m.PerHop.Duration(), all, shuffle, always)
		}
	}
}

// S2 while messages wait for links: on a mesh with cheap hops random polling is faster under
// cut-through, and a cycle of all dimensions is faster under store-and-forward, the routing of the
// paper's model. A cycle that leaves out phases is slower than a cycle of all dimensions under both.
// Reference: Sanders, sections 2.1 and 4.1.
func TestS2ContentionForLinks(t *testing.T) {
	for _, c := range []sim.Contention{sim.CutThrough, sim.StoreAndForward} {
		m := built(t, "mesh")
		m.Contention = c
		v := networkVariants(m, 256)
		e := efficiencies(t, v[0], v[1], v[3])
		rp, shuffle, all := e[0], e[1], e[2]
		t.Logf("%v: random polling %.3f, poll and shuffle %.3f, all dimensions %.3f", c, rp, shuffle, all)
		if packets := c == sim.StoreAndForward; packets != (all > rp) || shuffle > rp || shuffle > 0.9*all {
			t.Errorf("%v: random polling %.3f, poll and shuffle %.3f, all dimensions %.3f", c, rp, shuffle, all)
		}
	}
}

// The search finds an existing crossover, and reports if there is none.
func TestOvertaking(t *testing.T) {
	l, ctx := quick(t), context.Background()
	mesh := built(t, "mesh")
	o, err := overtakesAtHops(ctx, l, mesh, 64, true)
	if err != nil {
		t.Fatal(err)
	}
	// More expensive hops may only help: half of the place is before the crossover, twice is after
	// it.
	for _, c := range []struct {
		times float64
		won   bool
	}{{0.5, false}, {2, true}} {
		ratio, err := speedupRatio(ctx, l, shufflingContender(scaleHopTime(mesh, c.times*o.x), 64).allDimensions())
		if err != nil {
			t.Fatal(err)
		}
		if (ratio >= 1) != c.won {
			t.Errorf("crossover at %v times t_h: at %v times that poll and shuffle is %.3f times as fast", o.x, c.times, ratio)
		}
	}
	if !o.found || o.first || o.x < 2 || o.ratio < 1 {
		t.Errorf("on a mesh: %+v", o)
	}
	if o, err = overtakesAtRanks(ctx, l, place{machine: built(t, "ncube2"), most: 128}, false); err != nil || o.found || o.String() != "none up to 128" {
		t.Errorf("on a hypercube: %v (%+v), %v", o, o, err)
	}
	if o, err = overtakesAtRanks(ctx, l, place{machine: scaleHopTime(mesh, 100), most: 128}, true); err != nil || o.String() != "≤ 16" {
		t.Errorf("on a mesh with dear hops: %v (%+v), %v", o, o, err)
	}
}

// S3: shuffling only if the fraction of idle ranks is high saves shuffles without a loss, on a
// hypercube, where cycles poll all dimensions. Reference: Sanders, section 5.
func TestS3TriggersSaveShuffles(t *testing.T) {
	all, err := runTriggers(context.Background(), quick(t), triggerPlan{
		machines: []string{"ncube2"}, ranks: []int{64, 256}, nodes: []int64{10000}, triggers: lb.Triggers, ats: []float64{0.1, 0.4},
	})
	if err != nil {
		t.Fatal(err)
	}
	always := map[int]triggered{}
	for _, r := range all {
		if r.tuning.Trigger == lb.TriggerAlways {
			always[r.p] = r
		}
	}
	for _, r := range all {
		a := always[r.p]
		t.Logf("%s at %v, P = %d: %.1f shuffles, efficiency %.3f", r.tuning.Trigger, r.tuning.TriggerAt, r.p, r.ShufflesPerRun(r.p), r.Efficiency(r.p))
		if r.tuning.Trigger == lb.TriggerAlways {
			continue
		}
		if r.ShufflesPerRun(r.p) > a.ShufflesPerRun(r.p)/3 || r.Efficiency(r.p) < a.Efficiency(r.p)-0.01 {
			t.Errorf("%s at %v, P = %d: %.1f shuffles and an efficiency of %.3f; always: %.1f and %.3f", r.tuning.Trigger, r.tuning.TriggerAt, r.p,
				r.ShufflesPerRun(r.p), r.Efficiency(r.p), a.ShufflesPerRun(r.p), a.Efficiency(r.p))
		}
	}
}

// S6: a pseudorandom permutation can replace a truly random one. If messages occupy no processor,
// the exact permutation is not better by more than three standard errors. If they do, the drawing
// of the exact permutation takes time. Reference: Sanders, section 3.2.
func TestS6PseudorandomPermutationsWillDo(t *testing.T) {
	all, err := comparePermutations(context.Background(), quick(t), permutationPlan{
		machines: []string{"ideal", "ncube2"}, ranks: []int{64}, triggers: []string{lb.TriggerCount, lb.TriggerAlways}, seeds: 12,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		mean, deviation := c.difference()
		t.Logf("%s, %s: exact − pseudo %+.4f, standard error %.4f; %.0f and %.0f messages", c.machine.Name, c.tuning.Trigger, mean, deviation,
			c.pseudo.MessagesPerRank(c.p), c.exact.MessagesPerRank(c.p))
		if c.machine.Name == "ideal" {
			if mean > 3*deviation {
				t.Errorf("%s: exact permutations are better by %.4f, with a standard error of %.4f", c.tuning.Trigger, mean, deviation)
			}
			continue
		}
		if mean > -3*deviation || c.exact.MessagesPerRank(c.p) < 1.5*c.pseudo.MessagesPerRank(c.p) {
			t.Errorf("%s: exact − pseudo %+.4f, standard error %.4f; %.0f and %.0f messages", c.tuning.Trigger, mean, deviation,
				c.pseudo.MessagesPerRank(c.p), c.exact.MessagesPerRank(c.p))
		}
	}
}

// With the default phase length of simulated machines the loss against the best length is small.
// The best length lies between the shortest and the longest length that are tried.
func TestPhaseOfAMachineIsGood(t *testing.T) {
	c := shufflingContender(built(t, "ncube2"), 64)
	c.nodes = 10000
	scans, err := scanPhases(context.Background(), quick(t), []contender{c}, []float64{1, 2, 4, 8, 16, 32, 64, 128})
	if err != nil {
		t.Fatal(err)
	}
	s := scans[0]
	t.Logf("%.3f", s.efficiencies)
	if b := s.bestIndex(); b == 0 || b == len(s.efficiencies)-1 || s.own < 0.97*s.efficiencies[b] {
		t.Errorf("efficiencies %.3f over %v; %.3f with phases of %v", s.efficiencies, s.multiples, s.own, s.machine.PhaseLength().Duration())
	}
	if from, to := s.flatRange(0.02); from > s.bestIndex() || to < s.bestIndex() || to-from > 3 {
		t.Errorf("within 2 %% of the best from %d to %d, the best at %d", from, to, s.bestIndex())
	}
}

// On combs poll and shuffle is no better than random
// polling. Both are much faster than GRR, whose requests reach the owner of the spine one at a
// time. On a balanced tree poll and shuffle is better.
func TestCombs(t *testing.T) {
	all, err := runCombs(context.Background(), quick(t), combPlan{ranks: []int{64, 256}, teeth: []int{1, 16, 64}, seeds: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		t.Logf("P = %d, %d teeth: %.3f", c.p, c.comb.Teeth, c.efficiencies)
		if even := c.comb.Teeth == 1; even != (c.rivalEfficiency("shuffle") > c.rivalEfficiency("RP")) || c.rivalEfficiency("GRR") > 0.6*c.rivalEfficiency("shuffle") {
			t.Errorf("P = %d, %d teeth: shuffle %.3f, RP %.3f, GRR %.3f", c.p, c.comb.Teeth, c.rivalEfficiency("shuffle"), c.rivalEfficiency("RP"), c.rivalEfficiency("GRR"))
		}
	}
}

// The results of the experiments do not depend on the number of workers.
func TestShuffleExperimentsOnAnyCores(t *testing.T) {
	if testing.Short() {
		t.Skip("simulations of seconds")
	}
	run := func(workers int) (all []any) {
		l, err := lab.New("")
		if err != nil {
			t.Fatal(err)
		}
		l.Workers = workers
		keep := func(v any, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
		ctx := context.Background()
		combs, err := runCombs(ctx, l, combPlan{ranks: []int{8, 16}, teeth: []int{1, 16}, seeds: 2})
		keep(combs, err)
		hops, err := hopCrossovers(ctx, l, networkPlan{machines: []string{"ring", "mesh"}, ranks: []int{16}})
		keep(hops, err)
		growth, err := measureOverheads(ctx, l, "fattree", growthPlan{ranks: []int{16, 32}, sigmas: []float64{0, 0.3}, most: 32, grains: []int64{2}})
		keep(growth, err)
		permuted, err := comparePermutations(ctx, l, permutationPlan{machines: []string{"mesh"}, ranks: []int{16}, triggers: lb.Triggers, seeds: 2})
		keep(permuted, err)
		return all
	}
	one := run(1)
	for _, workers := range []int{2, 5} {
		if many := run(workers); !reflect.DeepEqual(one, many) {
			t.Errorf("%d workers: %v, one: %v", workers, many, one)
		}
	}
}

// On the tree of figure 3 every thorn is given away before a crown is split, so an efficiency above
// 1/2 needs at least as many grants as there are thorns. Random polling reaches it with few thorns.
// With many thorns no scheme does. Reference: Sanders, "Better Algorithms for Parallel Backtracking",
// section 6.1.
func TestFigure3(t *testing.T) {
	all, err := runThorny(context.Background(), quick(t), thornyPlan{ranks: []int{64}, thorns: []int{1, 64, 1024}, seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		t.Logf("%d thorns: %.3f", r.tree.Thorns, r.efficiencies)
		for i, e := range r.efficiencies {
			if thorns := float64(r.tree.Branches * r.tree.Thorns); e > 0.5 && r.grants[i] < thorns {
				t.Errorf("%s: efficiency %.3f with %.0f grants and %.0f thorns", rivals[i].name, e, r.grants[i], thorns)
			}
		}
		if half := r.efficiencies[0] > 0.5; r.tree.Thorns == 1 && !half || r.tree.Thorns == 1024 && half {
			t.Errorf("%d thorns: random polling has an efficiency of %.3f", r.tree.Thorns, r.efficiencies[0])
		}
	}
}
