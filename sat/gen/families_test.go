package gen

import (
	"fmt"
	"slices"
	"testing"
)

// factorial of n.
func factorial(n int) int {
	if n == 0 {
		return 1
	}
	return n * factorial(n-1)
}

// The trees of "unit propagation, first open clause" have sizes that follow from the
// parameters: perfectly balanced ones for parity, adders and tori, and one leaf for
// each way to place n pigeons.
func TestTreeSizesWithPropagation(t *testing.T) {
	check := func(family, example string, nodes int) {
		t.Helper()
		s := search(generate(t, family, example, 1), true, false)
		if s.nodes != nodes || s.leaves != (nodes+1)/2 || s.models != 0 {
			t.Errorf("%s %s: %d nodes, %d leaves, %d models, want %d nodes", family, example, s.nodes, s.leaves, s.models, nodes)
		}
	}
	for n := 3; n <= 7; n++ {
		check("php", fmt.Sprintf("n=%d", n), 2*factorial(n)-1)
	}
	for n := 2; n <= 10; n++ {
		check("parity", fmt.Sprintf("n=%d", n), 1<<n-1)
	}
	for n := 1; n <= 5; n++ {
		check("adder", fmt.Sprintf("n=%d", n), 1<<(2*n+1)-1)
	}
	check("tseitin-torus", "r=3 c=3", 1<<11-1)
	check("tseitin-torus", "r=3 c=4", 1<<14-1)
	check("tseitin-torus", "r=4 c=3", 1<<14-1)
}

// The trees of rule paper, without propagation. Reference: sizes of PHP(3..6) in the
// project's specification of that rule.
func TestTreeSizesOfRulePaper(t *testing.T) {
	for n, want := range map[int]int{3: 97, 4: 521, 5: 3261, 6: 23485} {
		if s := search(generate(t, "php", fmt.Sprintf("n=%d", n), 1), false, false); s.nodes != want {
			t.Errorf("PHP(%d): %d nodes, want %d", n, s.nodes, want)
		}
	}
}

// Answers that theorems give.
func TestKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		family, satisfiable, unsatisfiable string
	}{
		{"vdw", "j=3 k=3 n=8", "j=3 k=3 n=9"},
		{"vdw", "j=3 k=4 n=17", "j=3 k=4 n=18"},
		{"vdw", "j=5 k=3 n=21", "j=5 k=3 n=22"},
		{"vdw", "j=2 k=5 n=9", "j=2 k=5 n=10"}, // W(2; 2, k) = 2k for odd k
		{"ramsey", "s=3 t=3 n=5", "s=3 t=3 n=6"},
		{"ramsey", "s=3 t=4 n=8", "s=3 t=4 n=9"},
		{"ramsey", "s=2 t=7 n=6", "s=2 t=7 n=7"},
		{"mycielski", "order=2 colours=2", "order=2 colours=1"},
		{"mycielski", "order=3 colours=3", "order=3 colours=2"},
		{"mycielski", "order=4 colours=4", "order=4 colours=3"},
		{"mycielski", "order=5 colours=5", "order=4 colours=2"},
		{"queens", "n=5 colours=5", "n=5 colours=4"},
		{"queens", "n=4 colours=5", "n=4 colours=4"},
		{"queens", "n=1 colours=1", "n=2 colours=3"},
		{"random", "n=20 ratio=1", "n=20 ratio=40"},
		{"random-colouring", "n=12 p=0 colours=1", "n=6 p=1 colours=5"},
		{"random-colouring", "n=6 p=1 colours=6", "n=12 p=0.9 colours=2"},
	} {
		if !satisfiable(generate(t, c.family, c.satisfiable, 3)) {
			t.Errorf("%s %s: unsatisfiable", c.family, c.satisfiable)
		}
		if satisfiable(generate(t, c.family, c.unsatisfiable, 3)) {
			t.Errorf("%s %s: satisfiable", c.family, c.unsatisfiable)
		}
	}
}

// Families that are unsatisfiable whatever their parameters.
func TestUnsatisfiableFamilies(t *testing.T) {
	for _, c := range []struct{ family, example string }{
		{"multiplier", "n=1"}, {"multiplier", "n=2"}, {"multiplier", "n=3"}, {"multiplier", "n=4"},
		{"tseitin-torus", "r=3 c=3"}, {"php", "n=1"}, {"php", "n=2"},
		{"tseitin-regular", "n=2 d=1"}, {"tseitin-regular", "n=6 d=5"}, {"tseitin-regular", "n=10 d=3"}, {"tseitin-regular", "n=9 d=4"},
	} {
		for seed := range uint64(3) {
			if satisfiable(generate(t, c.family, c.example, seed)) {
				t.Errorf("%s %s seed %d: satisfiable", c.family, c.example, seed)
			}
		}
	}
}

// Each constraint except the contradiction must be satisfiable. A miter whose circuits have the
// same fault, or a graph whose charge contradicts itself at one vertex, would be unsatisfiable
// too.
func TestCircuitsComputeArithmetic(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for pair := range 1 << (2 * n) {
			x, y := pair&(1<<n-1), pair>>n
			for name, operation := range map[string]struct {
				build func(c circuit, a, b []int32) []int32
				want  int
			}{
				"ripple carry":   {circuit.rippleCarry, x + y},
				"Kogge-Stone":    {circuit.koggeStone, x + y},
				"array product":  {circuit.arrayProduct, x * y},
				"column product": {circuit.columnProduct, x * y},
			} {
				d := &draft{}
				c := circuit{d}
				a, b := c.newInputs(n), c.newInputs(n)
				out := operation.build(c, a, b)
				for i := range n {
					d.addClause(signed(a[i], x>>i&1 == 1))
					d.addClause(signed(b[i], y>>i&1 == 1))
				}
				if got := evaluate(d, out); got != operation.want {
					t.Errorf("%s of %d and %d in %d bits: %d, want %d", name, x, y, n, got, operation.want)
				}
			}
		}
	}
}

func signed(x int32, positive bool) int32 {
	if positive {
		return x
	}
	return -x
}

// evaluate returns the word that propagation alone gives to the outputs, −1 where it
// leaves one open.
func evaluate(d *draft, out []int32) (word int) {
	s := &dpll{formula: &d.formula, propagate: true, value: make([]int8, d.formula.Variables+1)}
	if _, conflict := s.scan(); conflict {
		return -1
	}
	for i, x := range out {
		switch s.literal(x) {
		case 1:
			word |= 1 << i
		case 0:
			return -1
		}
	}
	return word
}

// A Tseitin formula becomes satisfiable without any one of its vertices.
func TestTseitinIsMinimal(t *testing.T) {
	for _, c := range []struct{ family, example string }{{"tseitin-torus", "r=3 c=3"}, {"tseitin-regular", "n=10 d=3"}} {
		whole := generate(t, c.family, c.example, 5)
		for left := range whole.Len() {
			d := &draft{}
			d.newVariables(whole.Variables)
			for i, clause := range whole.Clauses() {
				if i != left {
					d.addClause(clause...)
				}
			}
			if !satisfiable(&d.formula) {
				t.Errorf("%s %s: unsatisfiable without clause %d", c.family, c.example, left)
			}
		}
	}
}

func TestRegularGraphs(t *testing.T) {
	d := &draft{rng: newRand(1)}
	for _, c := range [][2]int{{2, 1}, {10, 3}, {13, 12}, {50, 6}, {1000, 5}} {
		degrees := make([]int, c[0])
		seen := map[[2]int]bool{}
		for _, e := range d.regularGraph(c[0], c[1]) {
			if e[0] >= e[1] || seen[e] {
				t.Fatalf("n %d degree %d: edge %v is a loop or a second one", c[0], c[1], e)
			}
			seen[e] = true
			degrees[e[0]]++
			degrees[e[1]]++
		}
		if slices.Min(degrees) != c[1] || slices.Max(degrees) != c[1] {
			t.Errorf("n %d: degrees %v, want %d", c[0], degrees, c[1])
		}
	}
}

// Random clauses have k distinct variables, each variable and sign about as often as any
// other, and as many clauses as were asked for.
func TestRandomIsUniform(t *testing.T) {
	const n, k, m = 20, 4, 20000
	f := generate(t, "random", fmt.Sprintf("n=%d k=%d m=%d", n, k, m), 9)
	if f.Variables != n || f.Len() != m {
		t.Fatalf("%d variables, %d clauses, want %d, %d", f.Variables, f.Len(), n, m)
	}
	count := map[int32]int{}
	for _, clause := range f.Clauses() {
		seen := map[int32]bool{}
		for _, l := range clause {
			seen[max(l, -l)] = true
			count[l]++
		}
		if len(seen) != k {
			t.Fatalf("clause %v does not have %d distinct variables", clause, k)
		}
	}
	const expected = m * k / (2 * n) // 2000, standard deviation below 45
	for v := int32(1); v <= n; v++ {
		for _, l := range []int32{v, -v} {
			if count[l] < expected-250 || count[l] > expected+250 {
				t.Errorf("literal %d occurs %d times, want about %d", l, count[l], expected)
			}
		}
	}
	if f := generate(t, "random", "n=30 ratio=4.25", 1); f.Len() != 128 {
		t.Errorf("ratio 4.25 at 30 variables: %d clauses, want 128", f.Len())
	}
}

// Graphs of known sizes.
func TestGraphs(t *testing.T) {
	for order, want := range map[int][2]int{2: {2, 1}, 3: {5, 5}, 4: {11, 20}, 5: {23, 71}, 6: {47, 236}} {
		if g := mycielski(order); g.n != want[0] || len(g.edges) != want[1] {
			t.Errorf("mycielski(%d): %d vertices, %d edges, want %v", order, g.n, len(g.edges), want)
		}
	}
	// The DIMACS graphs queen5_5 to queen8_8 have 160, 290, 476 and 728 edges.
	for n, want := range map[int]int{5: 160, 6: 290, 7: 476, 8: 728} {
		if g := queensGraph(n); len(g.edges) != want {
			t.Errorf("queens(%d): %d edges, want %d", n, len(g.edges), want)
		}
	}
	d := &draft{rng: newRand(2)}
	if edges := len(d.randomGraph(200, 0.3).edges); edges < 5970-400 || edges > 5970+400 { // 6 standard deviations
		t.Errorf("a random graph of 19900 pairs at 0.3 has %d edges", edges)
	}
}

// Random k-SAT formulas decided by the small procedure agree with brute force, which
// checks the procedure that the other tests lean on.
func TestProcedureAgainstBruteForce(t *testing.T) {
	answers := map[bool]int{}
	for seed := range uint64(60) {
		f := generate(t, "random", "n=9 ratio=5", seed)
		brute := false
		for bits := range 1 << 9 {
			model := make([]bool, 9)
			for i := range model {
				model[i] = bits>>i&1 == 1
			}
			brute = brute || f.CheckModel(model) == nil
		}
		if got := satisfiable(f); got != brute {
			t.Errorf("seed %d: %v, want %v", seed, got, brute)
		}
		answers[brute]++
	}
	if answers[true] == 0 || answers[false] == 0 {
		t.Errorf("answers %v: the test shows half", answers)
	}
}
