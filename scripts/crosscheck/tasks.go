package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// task is a formula with what is known about it.
type task struct {
	name    string
	formula *sat.Formula
	known   gen.Answer
}

// newRand returns the generator of a formula: a failing formula can be made again alone.
func newRand(seed, number uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, number)) }

// kind is a kind of random formulas of which about half are satisfiable: clauses of the given lengths,
// variables from a range, and clauses per variable.
type kind struct {
	lengths  []int
	from, to int
	ratio    float64
}

// kinds are the random formulas for clause learning.
var kinds = []kind{
	{[]int{3}, 20, 110, 4.3},
	{[]int{2}, 20, 200, 1},
	{[]int{4}, 12, 50, 9.9},
	{[]int{5}, 10, 30, 21.3},
	{[]int{7}, 9, 16, 88},
	{[]int{2, 3, 4}, 20, 90, 2.7},
	{[]int{2, 3, 4, 5, 6, 7}, 15, 50, 4.2},
}

// members are ranges of parameters of small members of all families: "a-b" is a range of whole
// numbers.
var members = [][2]string{
	{"random", "n=20-90 k=3"}, {"php", "n=1-7"}, {"parity", "n=2-60"},
	{"tseitin-torus", "r=3 c=3-5"}, {"tseitin-regular", "n=4-14 d=2"}, {"tseitin-regular", "n=6-14 d=4"},
	{"vdw", "j=3 k=3-6 n=8-36"}, {"vdw", "j=4 k=4 n=30-37"}, {"vdw", "j=2 k=2-9 n=2-20"},
	{"ramsey", "s=3 t=3-4 n=4-9 break-symmetry=0-1"}, {"ramsey", "s=3 t=5 n=10-14 break-symmetry=1"},
	{"adder", "n=1-16"}, {"multiplier", "n=1-5"},
	{"mycielski", "order=2-5 colours=1-4"}, {"queens", "n=1-6 colours=1-7"}, {"random-colouring", "n=10-40 colours=3"},
	{"palindromic-vdw", "j=3 k=3-8 n=5-60"}, {"green-tao", "j=3 k=3-4 n=15-85"},
	{"schur", "colours=1-3 n=3-16 break-symmetry=0-1"}, {"weak-schur", "colours=1-3 n=3-26 break-symmetry=0-1"},
	{"pythagorean", "n=5-200 k=3"}, {"pythagorean", "n=60-110 k=4 break-symmetry=0-1"}, {"pythagorean", "n=20-40 k=5"},
	{"erdos-discrepancy", "c=1 n=4-14 multiplicative=0-1"}, {"erdos-discrepancy", "c=2 n=20-80"},
	{"php-variant", "n=1-5 capacity=1-2 functional=0-1 onto=0-1"}, {"chessboard", "n=3-6"},
	{"sgen", "groups=1-8"}, {"latin", "n=4-9 holes=8-16"}, {"latin", "n=8-12 holes=20-60"},
	{"langford", "n=1-7 break-symmetry=0-1"}, {"parity-learning", "n=3-12 samples=6-24 errors=0-3"},
}

// drawTask draws a formula: in one of ten tasks one of odd shape and up to 8 variables, in five one
// around the threshold, and in four a member of a family.
func drawTask(rng *rand.Rand) (task, error) {
	switch turn := rng.IntN(10); {
	case turn < 1:
		return task{name: "mixed", formula: ruletest.MixedFormula(rng)}, nil
	case turn < 6:
		return drawKind(rng, kinds), nil
	}
	return drawMemberOf(rng, members)
}

// smallKinds are random formulas that every rule decides in short time.
var smallKinds = []kind{
	{[]int{3}, 8, 26, 4.6},
	{[]int{4}, 8, 17, 10},
	{[]int{5}, 7, 12, 21.5},
	{[]int{2, 3, 3, 4, 5}, 8, 24, 4.6},
}

// drawProgramTask draws a formula for the level of the program. Of eight formulas with successive
// numbers, five are random and three are members of families.
func drawProgramTask(rng *rand.Rand, number int) (t task, structured bool, err error) {
	if number%8 >= 5 {
		t, err = drawMemberOf(rng, members)
		return t, true, err
	}
	switch turn := rng.IntN(10); {
	case turn < 1:
		return task{name: "mixed", formula: ruletest.MixedFormula(rng)}, false, nil
	case turn < 6:
		return drawKind(rng, smallKinds), false, nil
	}
	return drawKind(rng, kinds), false, nil
}

// drawKind draws a random formula of a listed kind.
func drawKind(rng *rand.Rand, listed []kind) task {
	k := listed[rng.IntN(len(listed))]
	variables := k.from + rng.IntN(k.to-k.from+1)
	clauses := int(k.ratio * (0.9 + 0.2*rng.Float64()) * float64(variables))
	return task{name: fmt.Sprint("random ", k.lengths), formula: ruletest.RandomFormula(rng, variables, clauses, k.lengths...)}
}

// drawMemberOf draws a member of a listed family and renames its variables.
func drawMemberOf(rng *rand.Rand, listed [][2]string) (task, error) {
	m := listed[rng.IntN(len(listed))]
	family, err := gen.FindFamily(m[0])
	if err != nil {
		return task{name: m[0]}, err
	}
	given, err := drawParameters(rng, m[1])
	t := task{name: fmt.Sprint(m[0], given)}
	if err != nil {
		return t, err
	}
	f, _, err := family.MakeFormula(given, rng.Uint64())
	if err != nil {
		return t, err
	}
	known, err := family.KnownStatus(given)
	t.formula, t.known = renameVariables(rng, f), known.Answer
	return t, err
}

// drawParameters draws values from "name=a-b …".
func drawParameters(rng *rand.Rand, ranges string) (map[string]float64, error) {
	given := map[string]float64{}
	for field := range strings.FieldsSeq(ranges) {
		name, values, _ := strings.Cut(field, "=")
		low, high, isRange := strings.Cut(values, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.Atoi(low)
		if err != nil {
			return nil, err
		}
		to, err := strconv.Atoi(high)
		if err != nil {
			return nil, err
		}
		given[name] = float64(from + rng.IntN(to-from+1))
	}
	return given, nil
}

// renameVariables permutes the variables, negates some of them, and permutes the clauses and their
// literals: members without a seed become different formulas with the same answer.
func renameVariables(rng *rand.Rand, f *sat.Formula) *sat.Formula {
	names := rng.Perm(f.Variables)
	negated := make([]bool, f.Variables)
	for v := range negated {
		negated[v] = rng.IntN(2) == 0
	}
	renamed := &sat.Formula{Variables: f.Variables}
	for _, i := range rng.Perm(f.Len()) {
		var clause []int32
		for _, l := range f.Clause(i) {
			v := max(l, -l) - 1
			name := int32(names[v] + 1)
			if (l < 0) != negated[v] {
				name = -name
			}
			clause = append(clause, name)
		}
		rng.Shuffle(len(clause), func(a, b int) { clause[a], clause[b] = clause[b], clause[a] })
		renamed.AddClause(clause...)
	}
	return renamed
}

// drawAssumptions draws up to an eighth of the variables, at least up to 4, with repetitions.
func drawAssumptions(rng *rand.Rand, variables int) (literals []int32) {
	if variables == 0 {
		return nil
	}
	for range 1 + rng.IntN(max(4, variables/8)) {
		l := int32(1 + rng.IntN(variables))
		if rng.IntN(2) == 0 {
			l = -l
		}
		literals = append(literals, l)
	}
	return literals
}

// withUnits returns the formula with more unit clauses.
func withUnits(f *sat.Formula, units []int32) *sat.Formula {
	with := &sat.Formula{Variables: f.Variables}
	for _, clause := range f.Clauses() {
		with.AddClause(clause...)
	}
	for _, l := range units {
		with.AddClause(l)
	}
	return with
}
