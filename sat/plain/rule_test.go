package plain_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/plain"
	"treesplit/sat/ruletest"
)

func TestRule(t *testing.T) {
	rng := func(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
	ruletest.Suite{New: plain.New, Counting: plain.NewCounting, Variables: 64, Trees: map[string]*sat.Formula{
		"php-6":             generate(t, "php", map[string]float64{"n": 6}, 1),
		"of 3":              ruletest.RandomFormula(rng(1), 130, 590, 3),
		"of 3 to 5":         ruletest.RandomFormula(rng(7), 40, 200, 3, 4, 5),
		"of 2 to 10":        ruletest.RandomFormula(rng(7), 60, 300, 2, 3, 4, 5, 7, 10),
		"of 3 to 5, denser": ruletest.RandomFormula(rng(7), 60, 420, 3, 4, 5),
	}}.Run(t)
}

func generate(t testing.TB, family string, parameters map[string]float64, seed uint64) *sat.Formula {
	t.Helper()
	g, err := gen.FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := g.MakeFormula(parameters, seed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// definition is rule plain as it reads, without any state but the assignment.
type definition struct {
	clauses [][]int32 // sets, without tautologies
	value   []int32   // of each variable: +1, -1 or 0
	all     bool      // go on past solutions
	keeps   bool      // no models are lost
	counts  sat.Counts
}

func define(f *sat.Formula, all, keeps bool) sat.Counts {
	d := definition{value: make([]int32, f.Variables+1), all: all, keeps: keeps}
	for _, clause := range f.Clauses() {
		set := slices.Clone(clause)
		slices.Sort(set)
		set = slices.Compact(set)
		if !slices.ContainsFunc(set, func(l int32) bool { return slices.Contains(set, -l) }) {
			d.clauses = append(d.clauses, set)
		}
	}
	d.visit(0)
	return d.counts
}

// open returns the remaining literals of the open clauses.
func (d *definition) open() (all [][]int32) {
next:
	for _, clause := range d.clauses {
		var left []int32
		for _, l := range clause {
			switch v := l * d.value[max(l, -l)]; {
			case v > 0:
				continue next
			case v == 0:
				left = append(left, l)
			}
		}
		all = append(all, left)
	}
	return all
}

func (d *definition) set(l int32) { d.value[max(l, -l)] = l / max(l, -l) }

func (d *definition) visit(depth int64) {
	if d.counts.Solutions > 0 && !d.all {
		return
	}
	d.counts.Expanded++
	d.counts.MaxDepth = max(d.counts.MaxDepth, depth)
	before := slices.Clone(d.value)
	for d.infer() {
	}
	switch open := d.open(); {
	case len(open) == 0:
		d.counts.Solutions++
	case slices.ContainsFunc(open, func(left []int32) bool { return len(left) == 0 }):
		d.counts.Conflicts++
	default:
		branch, inner := d.branch(open), slices.Clone(d.value)
		for _, l := range []int32{branch, -branch} {
			d.set(l)
			d.visit(depth + 1)
			copy(d.value, inner)
		}
	}
	copy(d.value, before)
}

// infer makes one unit or pure literal true, if there is one and no conflict.
func (d *definition) infer() bool {
	open := d.open()
	occurs := map[int32]bool{}
	for _, left := range open {
		if len(left) == 0 {
			return false
		}
		for _, l := range left {
			occurs[l] = true
		}
	}
	for _, left := range open {
		if len(left) == 1 {
			d.set(left[0])
			return true
		}
	}
	for l := range occurs {
		if !occurs[-l] && !d.keeps {
			d.set(l)
			return true
		}
	}
	return false
}

// branch returns the literal to branch on. The weights are right while no literal has
// 2^32 / 317850 occurrences or more.
func (d *definition) branch(open [][]int32) (branch int32) {
	weights := []int{0, 0, 317850, 65536, 23200, 7209, 4548, 3115, 2133, 1460, 1000}
	sum := map[int32]int{}
	for _, left := range open {
		for _, l := range left {
			sum[l] += weights[len(left)]
		}
	}
	best := 0
	for v := range int32(len(d.value)) {
		if product := sum[v] * sum[-v]; product > best {
			best, branch = product, v
			if sum[-v] > sum[v] {
				branch = -v
			}
		}
	}
	if branch != 0 {
		return branch
	}
	for l, s := range sum { // all are pure
		if s > best || s == best && max(l, -l) < max(branch, -branch) {
			best, branch = s, l
		}
	}
	return branch
}

// The rule visits the nodes that its definition visits, in steps of any size.
func TestAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	inner := 0
	for i := range 6000 {
		f := ruletest.MixedFormula(rng)
		switch {
		case i%20 == 0:
			f = ruletest.RandomFormula(rng, 16, 20+i%100, 2, 3, 4, 5, 7, 10)
		case i%20 == 10:
			f = ruletest.RandomFormula(rng, 30, 128, 3)
		}
		compile, keeps := plain.New, i%3 == 0
		if keeps {
			compile = plain.NewCounting
		}
		rule := compile(f)
		if rng.IntN(2) == 0 {
			rule = plain.WithRows(rule, 1+rng.IntN(4)) // sums are computed again on the way up
		}
		all, quantum := rng.IntN(2) == 0, 1+rng.IntN(30)
		s := sat.NewSearch(rule, sat.Options{Root: true, All: all})
		for !s.Empty() && !s.Decided() {
			s.Expand(quantum)
		}
		want := define(f, all, keeps)
		if s.Counts() != want {
			t.Fatalf("formula %d %v: %+v, want %+v", i, f, s.Counts(), want)
		}
		if want.MaxDepth > 1 {
			inner++
		}
	}
	if inner < 500 {
		t.Errorf("%d trees are deeper than a node", inner)
	}
}

// The weights of tawSolver to four digits, in units of 2^-16, and coarser ones where a
// literal occurs so often that its sum would pass 2^32.
func TestWeights(t *testing.T) {
	f := new(sat.Formula)
	long := make([]int32, 40)
	for i := range long {
		long[i] = int32(i + 1)
	}
	f.AddClause(long...)
	weights, want := plain.Weights(plain.New(f)), 0.0694
	for k, w := range map[int]float64{2: 4.85, 3: 1, 4: 0.354, 5: 0.11, 6: 0.0694} {
		if got := float64(weights[k]) / (1 << 16); math.Abs(got-w) > 1e-4 {
			t.Errorf("weight of %d: %v, want %v", k, got, w)
		}
	}
	for k := 7; k < 20; k++ {
		want /= 1.46
		if got := float64(weights[k]) / (1 << 16); math.Abs(got-want) > 4.0/(1<<16) {
			t.Errorf("weight of %d: %v, want %v", k, got, want)
		}
	}
	for range 100_000 {
		f.AddClause(1, 2)
	}
	weights = plain.Weights(plain.New(f))
	if sum := uint64(weights[2]) * 100_001; sum >= 1<<32 || sum < 1<<31 {
		t.Errorf("the largest sum is %d", sum)
	}
	if slices.Min(weights) == 0 {
		t.Errorf("weights %d: a literal may occur and have no weight", weights)
	}
}

// The pigeons go to hole after hole, as under rule unit: n! leaves.
func TestPigeonholeCounts(t *testing.T) {
	for n, factorial := 2, int64(2); n <= 8; n++ {
		s := sat.NewSearch(plain.New(generate(t, "php", map[string]float64{"n": float64(n)}, 1)), sat.Options{Root: true})
		for !s.Empty() {
			s.Expand(1 << 16)
		}
		if c := s.Counts(); c.Expanded != 2*factorial-1 || c.Conflicts != factorial {
			t.Errorf("PHP(%d): %+v, want %d nodes, half of them conflicts", n, c, 2*factorial-1)
		}
		factorial *= int64(n + 1)
	}
}

// Families with answers that are known.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		family      string
		parameters  map[string]float64
		satisfiable bool
	}{
		{"vdw", map[string]float64{"j": 3, "k": 4, "n": 17}, true},
		{"vdw", map[string]float64{"j": 3, "k": 4, "n": 18}, false},
		{"vdw", map[string]float64{"j": 3, "k": 6, "n": 31}, true},
		{"vdw", map[string]float64{"j": 3, "k": 6, "n": 32}, false},
		{"ramsey", map[string]float64{"s": 3, "t": 4, "n": 8}, true},
		{"ramsey", map[string]float64{"s": 3, "t": 4, "n": 9}, false},
		{"queens", map[string]float64{"n": 5, "colours": 5}, true},
		{"queens", map[string]float64{"n": 5, "colours": 4}, false},
		{"mycielski", map[string]float64{"order": 4, "colours": 3}, false},
		{"multiplier", map[string]float64{"n": 3}, false},
		{"parity", map[string]float64{"n": 10}, false},
	} {
		t.Run(fmt.Sprint(c.family, c.parameters), func(t *testing.T) {
			f := generate(t, c.family, c.parameters, 1)
			s := sat.NewSearch(plain.New(f), sat.Options{Root: true})
			for !s.Empty() && !s.Decided() {
				s.Expand(1 << 16)
			}
			if model := s.Model(); (model != nil) != c.satisfiable {
				t.Errorf("satisfiable: %v, want %v", model != nil, c.satisfiable)
			} else if model != nil && f.CheckModel(model) != nil {
				t.Error(f.CheckModel(model))
			}
		})
	}
}
