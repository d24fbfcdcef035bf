package ksbf

import (
	"math"
	"strings"
	"testing"
)

// function returns a function that exists.
func function(t testing.TB, name string) Function {
	t.Helper()
	f, err := FindFunction(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// workloads returns one workload of each kind, with about 1000 tasks.
func workloads(t testing.TB) map[string]Workload {
	return map[string]Workload{
		"tree":     Complete{N: 11},
		"root":     Complete{N: 1},
		"grid":     Grid{N: 45},
		"random":   Random{Binary: 0.47, Unary: 0.1, Levels: 200, Seed: 253},
		"unary":    Random{Unary: 1, Levels: 256, Seed: 2},
		"capped":   Bad{Family: "capped", Levels: 20, Weight: 3},
		"chained":  Bad{Family: "chained", Levels: 16, Weight: 2},
		"complete": Bad{Family: "complete", Levels: 120, Weight: 3},
		"sqrt":     Quadrature{Function: function(t, "sqrt"), To: 1, Tolerance: 1e-10, Resolution: 1e-9},
		"peak":     Quadrature{Function: function(t, "peak"), From: -1, To: 2, Tolerance: 1e-5, Resolution: 1e-9},
	}
}

// loop executes a workload in one plain loop.
func loop(w Workload) *Tally {
	l := NewLoop(w)
	for !l.Empty() {
		l.ExecuteTasks(1000)
	}
	return l.Tally()
}

// same reports whether two runs have the same counts.
func same(a, b *Tally) bool {
	return a.Nodes == b.Nodes && a.Leaves == b.Leaves && a.Depth == b.Depth && a.Sum.Float64() == b.Sum.Float64()
}

// Every scheme executes every task once, on any number of ranks, and computes the same
// integral as the plain loop, bit for bit.
func TestSchemesExecuteEverything(t *testing.T) {
	for name, w := range workloads(t) {
		want := loop(w)
		for _, scheme := range SchemeNames() {
			if scheme == keepLoad && w.Joins() {
				continue
			}
			for _, p := range []int{1, 2, 3, 4, 5, 16, 33} {
				seen := map[Task]bool{}
				s, err := Simulate(scheme, w, p, Options{Seed: 3, Visit: func(_ int64, _ int, task *Task) {
					one := *task
					one.Credit = 0
					if seen[one] {
						t.Errorf("%s, %s, p = %d: %+v is executed twice", name, scheme, p, one)
					}
					seen[one] = true
				}})
				if err != nil {
					t.Fatalf("%s, %s, p = %d: %v", name, scheme, p, err)
				}
				if !same(&s.Tally, want) || int64(len(seen)) != want.Nodes {
					t.Errorf("%s, %s, p = %d: %d tasks, %d leaves, depth %d, want %d, %d, %d", name, scheme, p, s.Tally.Nodes, s.Tally.Leaves, s.Tally.Depth, want.Nodes, want.Leaves, want.Depth)
				}
				if longest := s.Time * int64(p); s.Tally.Nodes > longest || p == 1 && s.Time != want.Nodes {
					t.Errorf("%s, %s, p = %d: %d tasks in %d steps", name, scheme, p, s.Tally.Nodes, s.Time)
				}
			}
		}
	}
}

// On one rank KS-BF is a breadth-first search from left to right.
func TestBreadthFirst(t *testing.T) {
	for name, w := range workloads(t) {
		_, all := simulate(t, w, 1)
		for i := 1; i < len(all); i++ {
			if !all[i-1].task.comesBefore(&all[i].task) || all[i].task.comesBefore(&all[i-1].task) {
				t.Fatalf("%s: %+v before %+v", name, all[i-1].task, all[i].task)
			}
		}
	}
}

// The sizes of the workloads that have formulas.
func TestSizes(t *testing.T) {
	choose := func(n, k int) (c int64) {
		c = 1
		for i := range k {
			c = c * int64(n-i) / int64(i+1)
		}
		return c
	}
	for h := 1; h <= 14; h++ {
		for limit := 0; limit <= 3 && limit <= h; limit++ {
			var capped, chained int64
			for w := 0; w <= limit; w++ {
				chained += choose(h, w+1)
			}
			for w := range limit {
				capped += choose(h, w+1)
			}
			if limit == 0 {
				capped = 1
			} else {
				capped += choose(h-1, limit) // tasks of weight limit that end in a right turn
			}
			if n := loop(Bad{Family: "chained", Levels: h, Weight: limit}).Nodes; n != chained {
				t.Errorf("chained, %d levels, weight %d: %d tasks, want %d", h, limit, n, chained)
			}
			if n := loop(Bad{Family: "capped", Levels: h, Weight: limit}).Nodes; n != capped {
				t.Errorf("capped, %d levels, weight %d: %d tasks, want %d", h, limit, n, capped)
			}
			if n, want := loop(Bad{Family: "complete", Levels: h, Weight: limit}).Nodes, int64(1<<limit*(h-limit)+1<<limit-1); n != want {
				t.Errorf("complete, %d levels, weight %d: %d tasks, want %d", h, limit, n, want)
			}
		}
	}
}

// Random trees have the requested mean numbers of children, and a seed gives the same tree
// again.
func TestRandomTrees(t *testing.T) {
	var nodes, two, oneLeft, oneRight float64
	var c Children
	w := Random{Binary: 0.3, Unary: 0.4, Levels: 3}
	for w.Seed = range uint64(20000) {
		root := w.Root()
		c = Children{}
		w.Execute(&root, &c, nil)
		nodes++
		switch {
		case c.HasLeft && c.HasRight:
			two++
		case c.HasLeft:
			oneLeft++
		case c.HasRight:
			oneRight++
		}
	}
	for name, got := range map[string][2]float64{"two": {two, 0.3}, "left": {oneLeft, 0.2}, "right": {oneRight, 0.2}} {
		if math.Abs(got[0]/nodes-got[1]) > 0.015 { // five standard errors
			t.Errorf("%s: %v of the tasks, want %v", name, got[0]/nodes, got[1])
		}
	}
	big := Random{Binary: 0.5, Levels: 100, Seed: 5}
	if a, b := loop(big), loop(big); *a != *b {
		t.Error("the same seed gives another tree")
	}
}

// Invalid parameters are refused, and the error names the expected ones.
func TestValidate(t *testing.T) {
	root, inverse, exp := function(t, "sqrt"), function(t, "inverse"), function(t, "exp")
	for want, w := range map[string]Workload{
		"expected 1 to 62":                             Complete{N: 63},
		"complete tree cannot have 0 levels":           Complete{},
		"grid cannot have side 0":                      Grid{},
		"expected 0 or more, and a sum of at most 1":   Random{Binary: 0.7, Unary: 0.4, Levels: 3},
		"cannot be NaN for two children":               Random{Binary: math.NaN(), Levels: 3},
		"tree cannot have 257 levels":                  Random{Levels: 257},
		`unknown family "x"`:                           Bad{Family: "x", Levels: 3},
		"weight cannot be 4":                           Bad{Family: "capped", Levels: 3, Weight: 4},
		"tree cannot have 0 levels: expected 1 to 256": Bad{Family: "capped", Levels: 0, Weight: 0},
		"defined on [0":                                Quadrature{Function: root, From: -1, To: 1, Resolution: 1e-9},
		"defined on (0":                                Quadrature{Function: inverse, From: 0, To: 1, Resolution: 1e-9},
		"expected two finite numbers":                  Quadrature{Function: root, From: 1, To: 1, Resolution: 1e-9},
		"from NaN":                                     Quadrature{Function: root, From: math.NaN(), To: 1, Resolution: 1e-9},
		"to 710":                                       Quadrature{Function: exp, From: 0, To: 710, Resolution: 1e-9},
		"tolerance cannot be -1":                       Quadrature{Function: root, To: 1, Tolerance: -1, Resolution: 1e-9},
		"resolution cannot be 0: expected more":        Quadrature{Function: root, To: 1},
		"resolution cannot be NaN: expected more ":     Quadrature{Function: root, To: 1, Resolution: math.NaN()},
	} {
		err := w.Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", w, err, want)
		}
	}
	for _, c := range []struct {
		scheme, want string
		p            int
		w            Workload
	}{
		{"ks-bf", "ring cannot have 0 ranks", 0, Complete{N: 3}},
		{"bogus", `unknown scheme "bogus": expected one of ks-bf`, 2, Complete{N: 3}},
		{keepLoad, "two parents", 2, Grid{N: 3}},
		{"ks-bf", "grid cannot have side 0", 2, Grid{}},
	} {
		if _, err := Simulate(c.scheme, c.w, c.p, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %+v: %v, want %q", c.scheme, c.w, err, c.want)
		}
	}
	if _, err := FindFunction("tan"); err == nil || !strings.Contains(err.Error(), `unknown function "tan": expected one of abs`) {
		t.Error(err)
	}
}

// A simulation ends early if Stop returns true, and reports it.
func TestStop(t *testing.T) {
	for _, scheme := range SchemeNames() {
		s, err := Simulate(scheme, Complete{N: 62}, 3, Options{Stop: func() bool { return true }})
		if err != nil || !s.Stopped || s.Time != 1<<16/3 {
			t.Errorf("%s: stopped %v after %d steps: %v", scheme, s.Stopped, s.Time, err)
		}
	}
}
