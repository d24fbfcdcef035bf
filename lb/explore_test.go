package lb_test

import (
	"fmt"
	"testing"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// variant is a scheme with options that change its messages.
type variant struct {
	name, scheme, network string
	options               lb.Options
	detector              string // run it only with this detector and fewer schedules; "": with all
}

func variants() []variant {
	var all []variant
	for _, s := range lb.SchemeNames() {
		all = append(all, variant{name: s, scheme: s, network: "hypercube", options: lb.Options{Delay: 20, PhaseNodes: 2}})
	}
	all = append(all, shuffleVariants()...)
	return append(all,
		variant{name: "ml, deeper", scheme: "ml", network: "ring", options: lb.Options{Cutoff: 5}},
		variant{name: "ml, three levels", scheme: "ml", network: "ring", options: lb.Options{Cutoff: 6, Levels: 3}},
		variant{name: "ml with many generators", scheme: "ml", network: "ring", options: lb.Options{Cutoff: 4, Arity: 3}},
		variant{name: "arr with equal targets", scheme: "arr", network: "ring", options: lb.Options{EqualTargets: true}},
		variant{name: "ra, finer", scheme: "ra", network: "ring", options: lb.Options{Cutoff: 100}},
		variant{name: "static with samples", scheme: "static", network: "hypercube", options: lb.Options{Splits: lb.AutoSplits}},
		variant{name: "static, then rp, with samples", scheme: "static+rp", network: "hypercube", options: lb.Options{Splits: lb.AutoSplits}},
		variant{name: "nn on a ring", scheme: "nn", network: "ring"},
		variant{name: "nn on a mesh", scheme: "nn", network: "mesh"},
		variant{name: "grr-m without delay", scheme: "grr-m", network: "ring"},
		variant{name: "sb by way of the scheduler", scheme: "sb", network: "ring", options: lb.Options{RouteThroughScheduler: true}},
		variant{name: "sb with rests", scheme: "sb", network: "ring", options: lb.Options{Backoff: 10}},
		variant{name: "rp with rests", scheme: "rp", network: "ring", options: lb.Options{Backoff: 10}},
		variant{name: "grr with rests", scheme: "grr", network: "ring", options: lb.Options{Backoff: 10}},
	)
}

// maker returns a maker of ranks of a variant with a detector. All worlds of a maker share the
// tables of permutations, as the ranks of a simulation do; making them again for each rank
// took half of the time of these tests. Ranks with their own tables are tested in package
// local.
func (v variant) maker(t testing.TB, detector string) explore.Maker {
	known := new(lb.Permutations)
	return func(work *explore.Toy, rank, size int) lb.Balancer {
		o := v.options
		o.Work, o.Permutations = work, known
		o.Cutoff = max(o.Cutoff, 2)
		o.Fresh = func() search.Work { return work.EmptyShare() }
		var err error
		if o.Network, err = topology.Parse(v.network, size); err != nil {
			t.Fatal(err)
		}
		if o.Detector, err = termination.New(detector, rank, size); err != nil {
			t.Fatal(err)
		}
		b, err := lb.New(v.scheme, o, rank, size)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func forEach(t *testing.T, f func(t *testing.T, v variant, detector string)) {
	for _, v := range variants() {
		for _, d := range termination.DetectorNames() {
			if v.detector != "" && v.detector != d {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", v.name, d), func(t *testing.T) { t.Parallel(); f(t, v, d) })
		}
	}
}

// Under every schedule, every scheme with every detector expands every node once, ends, and
// passes the audits.
func TestRandomSchedules(t *testing.T) {
	runs := uint64(40)
	if testing.Short() {
		runs = 5
	}
	forEach(t, func(t *testing.T, v variant, detector string) {
		ranks := v.maker(t, detector)
		for _, p := range []int{1, 2, 3, 4, 5, 7, 8, 13, 16} {
			for seed := range runs {
				shape := explore.Shape{Seed: seed, Depth: int(2 + seed%6), Width: int(2 + seed%4)}
				w := explore.New(p, shape, seed, ranks)
				if _, err := explore.Run(w, explore.RandomChooser(seed), 200000); err != nil {
					t.Fatalf("P = %d, seed %d: %v", p, seed, err)
				}
			}
		}
	})
}

// A witness ends the run early, and the credits still add up.
func TestEarlyStop(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, detector string) {
		ranks := v.maker(t, detector)
		for _, p := range []int{1, 2, 3, 5, 8} {
			for seed := range uint64(20) {
				shape := explore.Shape{Seed: seed, Depth: 6, Width: 4, Find: 7}
				w := explore.New(p, shape, seed, ranks)
				if _, err := explore.Run(w, explore.RandomChooser(seed), 100000); err != nil {
					t.Fatalf("P = %d, seed %d: %v", p, seed, err)
				}
			}
		}
	})
}

// All ranks learn the least value of the tree, whichever rank finds it and whenever. The
// exchange of values changes neither the number of expanded nodes nor the end of the search.
// If a witness ends the search early, all ranks still know the same value.
func TestBoundsSpread(t *testing.T) {
	runs := uint64(8)
	if testing.Short() {
		runs = 4
	}
	forEach(t, func(t *testing.T, v variant, detector string) {
		ranks := v.maker(t, detector)
		for _, p := range []int{1, 2, 3, 4, 5, 7, 8, 13, 16} {
			for seed := range runs {
				shape := explore.Shape{Seed: seed, Depth: int(2 + seed%6), Width: int(2 + seed%4), Find: seed % 3 * 11, Values: true}
				w := explore.New(p, shape, seed, ranks)
				if _, err := explore.Run(w, explore.RandomChooser(seed), 200000); err != nil {
					t.Fatalf("P = %d, seed %d: %v", p, seed, err)
				}
			}
		}
	})
}

// All schedules that differ little from the fair one, in worlds of two and three ranks.
func TestSystematicSchedules(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, detector string) {
		ranks := v.maker(t, detector)
		bound := 2
		if testing.Short() || v.detector != "" {
			bound = 1
		}
		for _, p := range []int{2, 3} {
			fresh := func() *explore.World {
				return explore.New(p, explore.Shape{Seed: 3, Depth: 3, Width: 3, Values: p == 3}, 1, ranks)
			}
			n, err := explore.Systematic(fresh, bound, 24, 20000)
			if err != nil {
				t.Fatalf("P = %d, schedule %d: %v", p, n, err)
			}
			if n <= 2*bound {
				t.Fatalf("P = %d: there are only %d schedules", p, n)
			}
		}
	})
}
