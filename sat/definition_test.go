package sat_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// definition is the rules of this package as they read, without any state but the
// assignment: value[v] is +1, -1 or 0.
type definition struct {
	f           *sat.Formula
	propagation bool    // rule unit
	order       []int32 // rule paper-static
	value       []int32
	all         bool // go on past solutions
	counts      sat.Counts
}

// define returns what the rule of that name counts in the whole tree, or up to its first
// solution.
func define(name string, f *sat.Formula, all bool) sat.Counts {
	d := definition{f: f, all: all, propagation: name == "unit", value: make([]int32, f.Variables+1)}
	if name == "paper-static" {
		for _, clause := range f.Clauses() {
			for _, l := range clause {
				d.order = append(d.order, max(l, -l))
			}
		}
		slices.Sort(d.order)
	}
	d.visit(0)
	return d.counts
}

func (d *definition) visit(depth int64) {
	if d.counts.Solutions > 0 && !d.all {
		return
	}
	d.counts.Expanded++
	d.counts.MaxDepth = max(d.counts.MaxDepth, depth)
	before := slices.Clone(d.value)
	unit, branch, conflict := d.scan()
	for d.propagation && !conflict && unit != 0 {
		d.set(unit)
		unit, branch, conflict = d.scan()
	}
	switch {
	case conflict:
		d.counts.Conflicts++
	case branch == 0:
		d.counts.Solutions++
	default:
		for _, l := range []int32{branch, -branch} {
			inner := slices.Clone(d.value)
			d.set(l)
			d.visit(depth + 1)
			copy(d.value, inner)
		}
	}
	copy(d.value, before)
}

func (d *definition) set(l int32) { d.value[max(l, -l)] = l / max(l, -l) }

// scan returns the last unit clause's literal and what to branch on, 0 if there is none.
func (d *definition) scan() (unit, branch int32, conflict bool) {
	for _, clause := range d.f.Clauses() {
		satisfied := false
		var free []int32
		for _, l := range clause {
			satisfied = satisfied || l*d.value[max(l, -l)] > 0
			if d.value[max(l, -l)] == 0 && !slices.Contains(free, l) {
				free = append(free, l)
			}
		}
		switch {
		case satisfied:
			continue
		case len(free) == 0:
			return 0, 0, true
		case len(free) == 1:
			unit = free[0]
		}
		if branch == 0 {
			branch = free[0]
		}
	}
	if branch != 0 && d.order != nil {
		branch = d.order[slices.IndexFunc(d.order, func(v int32) bool { return d.value[v] == 0 })]
	}
	return unit, branch, false
}

// The rules visit the nodes that the definitions visit, in steps of any size: all
// counters agree on thousands of small formulas of every shape.
func TestRulesAgainstDefinition(t *testing.T) {
	for name, newRule := range rules {
		rng := rand.New(rand.NewPCG(9, 9))
		for i := range 5000 {
			f := ruletest.MixedFormula(rng)
			if i%50 == 0 {
				f = ruletest.RandomFormula(rng, 15, 30+i%60, 2, 3, 4)
			}
			all, quantum := rng.IntN(2) == 0, 1+rng.IntN(30)
			s := sat.NewSearch(newRule(f), sat.Options{Root: true, All: all})
			for !s.Empty() && !s.Decided() {
				s.Expand(quantum)
			}
			if want := define(name, f, all); s.Counts() != want {
				t.Fatalf("rule %s, formula %d %v: %+v, want %+v", name, i, f, s.Counts(), want)
			}
		}
	}
}

func factorial(n int) int64 {
	if n == 0 {
		return 1
	}
	return int64(n) * factorial(n-1)
}

// Counts in closed form of rule unit.
func TestUnitCounts(t *testing.T) {
	check := func(name string, f *sat.Formula, want int64) {
		t.Helper()
		if c := whole(sat.NewUnit(f)); c.Expanded != want || c.Conflicts != (want+1)/2 || c.Solutions != 0 {
			t.Errorf("%s: %+v, want %d nodes, half of them conflicts", name, c, want)
		}
	}
	pigeons, bits, columns := 10, 8, []int{3, 4, 5}
	if testing.Short() {
		pigeons, bits, columns = 8, 6, columns[:1]
	}
	for n := 5; n <= pigeons; n++ {
		check(fmt.Sprintf("PHP(%d)", n), generate(t, "php", "n", float64(n)), 2*factorial(n)-1)
	}
	for n := 2; n <= 2*bits; n++ {
		check(fmt.Sprintf("parity of %d", n), generate(t, "parity", "n", float64(n)), 1<<n-1)
	}
	for n := 1; n <= bits; n++ {
		check(fmt.Sprintf("adders of %d bits", n), generate(t, "adder", "n", float64(n)), 1<<(2*n+1)-1)
	}
	torus := func(r, c int) *sat.Formula {
		return generateAll(t, "tseitin-torus", map[string]float64{"r": float64(r), "c": float64(c)})
	}
	check("3×3 torus", torus(3, 3), 1<<11-1)
	check("3×4 torus", torus(3, 4), 1<<14-1)
	for _, c := range columns[1:] {
		check(fmt.Sprintf("4×%d torus", c), torus(4, c), 1<<(4*c+2)-1)
	}
}
