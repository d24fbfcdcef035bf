package uts

import (
	"math"
	"math/rand/v2"
	"testing"

	"treesplit/search"
)

// edit returns the default parameters with changes.
func edit(change func(p *Params)) Params {
	p := DefaultParams()
	change(&p)
	return p
}

// balanced is a tree with k children a node down to height d.
func balanced(d int, k float64) Params {
	return edit(func(p *Params) { p.Type, p.Depth, p.B0 = Balanced, d, k })
}

// bin is a Binomial tree with b children of the root.
func bin(b, q float64, m, seed int) Params {
	p := binomialTree(q, m, seed)
	p.B0 = b
	return p
}

// walk returns the result of a whole tree, in steps of the given size.
func walk(t testing.TB, p Params, step int) Result {
	t.Helper()
	w, err := New(p, search.DefaultSplitting, true)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for !w.Empty() {
		total += int64(w.Expand(step))
	}
	if total != w.Result().Size {
		t.Fatalf("expanded %d nodes and counted %d", total, w.Result().Size)
	}
	return w.Result()
}

// small are trees with the reference program's results.
var small = []struct {
	name   string
	params Params
	want   Result
}{
	{"defaults", DefaultParams(), Result{1732, 6, 1050}},
	{"linear seed 1", geometricTree(Linear, 6, 4, 1), Result{486, 6, 291}},
	{"linear depth 10", geometricTree(Linear, 10, 4, 0), Result{25666, 10, 14179}},
	{"expdec", geometricTree(ExpDec, 8, 4, 0), Result{12958, 26, 6606}},
	{"expdec, one chain", geometricTree(ExpDec, 10, 3, 5), Result{7, 6, 1}},
	{"cyclic", geometricTree(Cyclic, 8, 3, 1), Result{296, 8, 174}},
	{"cyclic beyond 5d", geometricTree(Cyclic, 10, 4, 7), Result{17180, 51, 9850}},
	{"fixed depth 4", geometricTree(Fixed, 4, 4, 19), Result{944, 4, 744}},
	{"fixed depth 8", geometricTree(Fixed, 8, 4, 29), Result{99379, 8, 79695}},
	{"fixed, capped", geometricTree(Fixed, 3, 60, 1), Result{246048, 3, 241059}},
	{"binomial", bin(10, 0.2, 4, 1), Result{91, 8, 70}},
	{"binomial root of 2.9", bin(2.9, 0.2, 4, 0), Result{19, 4, 14}},
	{"binomial q 0.24", bin(100, 0.24, 4, 3), Result{1657, 29, 1267}},
	{"binary", bin(2000, 0.48, 2, 5), Result{44337, 123, 23168}},
	{"hybrid", hybridTree(Linear, 8, 4, 0), Result{8961, 68, 6721}},
	{"hybrid seed 1", hybridTree(Linear, 8, 4, 1), Result{3443, 42, 2575}},
	{"balanced", balanced(10, 2), Result{2047, 10, 1024}},
	{"lone root", balanced(0, 2), Result{1, 0, 1}},
	{"granularity", edit(func(p *Params) { p.Granularity = 3 }), Result{1732, 6, 1050}},
}

func TestSmallTrees(t *testing.T) {
	for _, c := range small {
		for _, step := range []int{1, 3, 1000} {
			if got := walk(t, c.params, step); got != c.want {
				t.Errorf("%s in steps of %d: %v, want %v", c.name, step, got, c.want)
			}
		}
	}
}

// Reference: the sample trees of UTS 2.1, T1 to T5.
func TestSampleTrees(t *testing.T) {
	for _, name := range []string{"T1", "T2", "T3", "T4", "T5"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, want, ok := FindSample(name)
			if !ok {
				t.Fatal("no such tree")
			}
			if got := walk(t, p, 4096); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// The published results of the trees too large for a test must at least hang
// together: an inner node of a Binomial tree other than the root has exactly M
// children, and 2000 nodes are the root's.
func TestPublishedResultsAgree(t *testing.T) {
	for _, name := range SampleNames() {
		p, r, ok := FindSample(name)
		if !ok || p.Validate() != nil {
			t.Fatalf("%s: %v, %v", name, ok, p.Validate())
		}
		p.Granularity = 3 // which makes no other tree
		if of, ok := Published(p); !ok || of != r {
			t.Errorf("%s: the published result is found as %v, %v", name, of, ok)
		}
		if p.Type != Binomial {
			continue
		}
		if inner := r.Size - r.Leaves - 1; r.Size != 1+int64(p.B0)+int64(p.M)*inner {
			t.Errorf("%s: size %d does not follow from %d inner nodes below the root", name, r.Size, inner)
		}
	}
	if _, _, ok := FindSample("T0"); ok {
		t.Error("there is a tree T0")
	}
	if _, ok := Published(DefaultParams()); ok {
		t.Error("there is a result for the tree of the defaults")
	}
}

// BALANCED has a closed form: k^d leaves and (k^(d+1) − 1)/(k − 1) nodes, its arity
// being cut to whole children but not to the cap.
func TestBalancedTrees(t *testing.T) {
	for _, c := range []struct {
		d int
		k float64
	}{{0, 5}, {1, 1000}, {2, 300.7}, {7, 3}, {50, 1}} {
		size, leaves := int64(0), int64(1)
		for range c.d {
			size += leaves
			leaves *= int64(c.k)
		}
		want := Result{size + leaves, int64(c.d), leaves}
		if got := walk(t, balanced(c.d, c.k), 100); got != want {
			t.Errorf("depth %d arity %v: %v, want %v", c.d, c.k, got, want)
		}
	}
}

// naive walks a tree in recursion with nothing but the definitions.
func naive(p *Params, s state, h int, r *Result) {
	k := p.childCount(h, s.randomValue())
	*r = r.AddResult(Result{Size: 1, Depth: int64(h)})
	if k == 0 {
		r.Leaves++
	}
	for i := range k {
		var c [1]state
		spawnGeneric(c[:], &s, uint32(i))
		naive(p, c[0], h+1, r)
	}
}

// Any parameters, not only the published ones, must give the tree of the definitions.
func TestTreeAgainstRecursion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := Params{
			Type: Type(rng.IntN(3)), B0: 1 + 3*rng.Float64(), Seed: rng.IntN(1 << 31),
			Shape: Shape(rng.IntN(4)), Depth: 2 + rng.IntN(4), Q: rng.Float64() * 0.3, M: rng.IntN(4),
			Shift: 0.1 + 0.9*rng.Float64(), Granularity: 1,
		}
		var want Result
		naive(&p, rootState(uint32(p.Seed)), 0, &want)
		if got := walk(t, p, 1+rng.IntN(50)); got != want {
			t.Fatalf("%+v: %v, want %v", p, got, want)
		}
	}
}

// A tree a million levels deep must not exhaust the goroutine's stack.
func TestMillionLevels(t *testing.T) {
	const depth = 1_000_000
	chain := balanced(depth, 1)
	if got, want := walk(t, chain, 4096), (Result{depth + 1, depth, 1}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestResultAdd(t *testing.T) {
	got := Result{math.MaxUint32, 7, 3}.AddResult(Result{1, 5, 4})
	if want := (Result{1 << 32, 7, 7}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
