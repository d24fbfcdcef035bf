package simplify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
)

// What each technique leaves over, found by its definition. Weaker versions of the
// techniques keep all answers right and fail here.

// leftPure returns a literal whose negation does not occur.
func leftPure(f *sat.Formula) any {
	for _, c := range f.Clauses() {
		for _, l := range c {
			if !slices.ContainsFunc(slices.Collect(clauses(f)), func(d []int32) bool { return slices.Contains(d, -l) }) {
				return l
			}
		}
	}
	return nil
}

// leftSubsumed returns a clause and one that subsumes it or takes a literal off it.
func leftSubsumed(f *sat.Formula) any {
	for i, c := range f.Clauses() {
		for j, d := range f.Clauses() {
			flips := 0
			within := !slices.ContainsFunc(d, func(l int32) bool {
				if slices.Contains(c, -l) {
					flips++
					return false
				}
				return !slices.Contains(c, l)
			})
			if i != j && within && flips <= 1 {
				return [2][]int32{c, d}
			}
		}
	}
	return nil
}

// leftFailed returns a literal whose assumption unit propagation refutes.
func leftFailed(f *sat.Formula) any {
	k := checker{clauses: slices.Collect(clauses(f))}
	for v := int32(1); v <= int32(f.Variables); v++ {
		for _, l := range []int32{v, -v} {
			if k.rup([]int32{-l}) {
				return l
			}
		}
	}
	return nil
}

// leftEquivalent returns two literals, each of which implies the other by binary clauses
// without contradicting itself.
func leftEquivalent(f *sat.Formula) any {
	binary := checker{}
	for _, c := range f.Clauses() {
		if len(c) == 2 {
			binary.clauses = append(binary.clauses, c)
		}
	}
	fails := func(v int32) bool { return binary.rup([]int32{v}) || binary.rup([]int32{-v}) }
	for v := int32(1); v <= int32(f.Variables); v++ {
		for w := v + 1; w <= int32(f.Variables); w++ {
			if fails(v) || fails(w) {
				continue
			}
			for _, l := range []int32{w, -w} {
				if binary.rup([]int32{v, -l}) && binary.rup([]int32{-v, l}) {
					return [2]int32{v, l}
				}
			}
		}
	}
	return nil
}

// leftEliminable returns a variable that has at most as many resolvents as clauses.
func leftEliminable(f *sat.Formula) any {
	for v := int32(1); v <= int32(f.Variables); v++ {
		positive, negative, resolvents := 0, 0, 0
		for _, c := range f.Clauses() {
			if slices.Contains(c, -v) {
				negative++
			}
			if !slices.Contains(c, v) {
				continue
			}
			positive++
			for _, d := range f.Clauses() {
				if slices.Contains(d, -v) && !slices.ContainsFunc(c, func(l int32) bool { return l != v && slices.Contains(d, -l) }) {
					resolvents++
				}
			}
		}
		if n := positive + negative; n > 0 && resolvents <= n {
			return v
		}
	}
	return nil
}

// leftVivifiable returns a clause that loses a literal if its literals are made false one after
// the other, the most frequent first, and unit propagation looks at the other clauses.
func leftVivifiable(f *sat.Formula) any {
	all := slices.Collect(clauses(f))
	count := map[int32]int{}
	for _, c := range all {
		for _, l := range c {
			if len(c) > 2 {
				count[l]++
			}
		}
	}
	for i, c := range all {
		others := checker{clauses: slices.Concat(all[:i], all[i+1:])}
		order := slices.Clone(c)
		slices.SortFunc(order, func(a, b int32) int {
			if count[a] != count[b] {
				return count[b] - count[a]
			}
			return int(fromDIMACS(a) - fromDIMACS(b))
		})
		for k := 1; k < len(c) && len(c) > 2; k++ {
			value, conflict := others.falsify(order[:k])
			if l := order[k]; conflict || value[-l] || value[l] && k+1 < len(c) {
				return []any{c, order[:k], l}
			}
		}
	}
	return nil
}

// A technique stops only where it has nothing left to do.
func TestFixpoint(t *testing.T) {
	all := AllTechniques()
	for _, c := range []struct {
		name string
		opt  Options
		left []func(f *sat.Formula) any
	}{
		{"pure", Options{Pure: true}, []func(f *sat.Formula) any{leftPure}},
		{"subsume", Options{Subsume: true}, []func(f *sat.Formula) any{leftSubsumed}},
		{"failed", Options{Failed: true}, []func(f *sat.Formula) any{leftFailed}},
		{"equivalent", Options{Equivalent: true}, []func(f *sat.Formula) any{leftEquivalent}},
		{"eliminate", Options{Eliminate: true}, []func(f *sat.Formula) any{leftEliminable}},
		{"vivify", Options{Vivify: true}, []func(f *sat.Formula) any{leftVivifiable}},
		{"lookahead", LookaheadTechniques(), []func(f *sat.Formula) any{leftPure, leftSubsumed, leftFailed, leftEquivalent}},
		{"all", all, []func(f *sat.Formula) any{leftPure, leftSubsumed, leftFailed, leftEquivalent, leftEliminable, leftVivifiable}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, 7))
			for i := range 600 {
				f := mixed(rng)
				if i%60 == 0 {
					f = larger(rng)
				}
				r := Run(f, c.opt)
				if r.Refuted {
					continue
				}
				for _, left := range c.left {
					if what := left(r.Formula); what != nil {
						t.Fatalf("%v is left in %v\nof %v", what, slices.Collect(clauses(r.Formula)), slices.Collect(clauses(f)))
					}
				}
			}
		})
	}
}

// A cycle of implications is one variable, and one with a literal and its negation is a
// contradiction.
func TestLongCycle(t *testing.T) {
	const n = 2000
	f := &sat.Formula{}
	for i := range int32(n) {
		f.AddClause(-(i + 1), (i+1)%n+1)
	}
	f.AddClause(n/2, n/4, n/3)
	f.AddClause(-n/2, -n/4, -n/3)
	r := Run(f, Options{Equivalent: true})
	if r.Stats.Equivalent != n-1 || !r.Refuted {
		t.Errorf("%+v", r.Stats)
	}
}

// addParity adds the clauses of a parity.
func addParity(f *sat.Formula, odd bool, variables ...int32) {
	eachWrongParity(len(variables), odd, func(truths int) {
		clause := slices.Clone(variables)
		for i := range clause {
			if truths>>i&1 == 1 {
				clause[i] = -clause[i]
			}
		}
		f.AddClause(clause...)
	})
}

// circulant is a Tseitin formula: vertex i of n has edges to i + 1 and i + 9. Variables
// z, odd in all, are added to the parities of vertices far from one another: all that
// follows of them is that their sum is odd.
func circulant(n int32, z ...int32) *sat.Formula {
	f := &sat.Formula{}
	for i := range n {
		variables := []int32{2*i + 1, 2*((i+n-1)%n) + 1, 2*i + 2, 2*((i+n-9)%n) + 2}
		if at := int(i) / 15; i%15 == 0 && at < len(z) {
			variables = append(variables, z[at])
		}
		addParity(f, i == 0, variables...)
	}
	return f
}

// Units and pairs that follow from many parities together are found, and what
// is left of the proof once its own variables are deleted is enough to go on with.
func TestFarConsequences(t *testing.T) {
	for _, c := range []struct {
		z    []int32
		want Stats
	}{
		{[]int32{90}, Stats{XORUnits: 1}},
		{[]int32{90, 91}, Stats{XORPairs: 1}},
	} {
		f := circulant(40, c.z...)
		// Each z has the value that makes their sum even, though no unit says so.
		for i, z := range c.z {
			if len(c.z)%2 == 1 && i == 0 {
				z = -z
			}
			f.AddClause(z, 100+int32(i))
			f.AddClause(z, -100-int32(i))
		}
		k := &checker{slices.Collect(clauses(f)), f.Len()}
		opt := Options{XOR: true}
		opt.Lemma = func(lemma []int32) {
			if err := k.add(lemma); err != nil {
				t.Fatal(err)
			}
		}
		opt.Delete = func(lemma []int32) {
			if err := k.delete(lemma); err != nil {
				t.Fatal(err)
			}
		}
		r := Run(f, opt)
		if r.MaxVariable == f.Variables {
			t.Errorf("%d: no long parity", c.z)
		}
		if got := r.Stats; got.XORUnits != c.want.XORUnits || got.XORPairs != c.want.XORPairs {
			t.Errorf("%d: %+v", c.z, got)
		}
		for _, lemma := range k.clauses[f.Len():] {
			if len(lemma) > 1 && slices.ContainsFunc(lemma, func(l int32) bool { return int(max(l, -l)) > f.Variables }) {
				t.Fatalf("%d: lemma %d is left", c.z, lemma)
			}
		}
		for _, clause := range r.Formula.Clauses() {
			if !k.rup(clause) {
				t.Errorf("%d: clause %d of the simplified formula does not follow", c.z, clause)
			}
		}
		for i, z := range c.z {
			if len(c.z)%2 == 1 && i == 0 {
				z = -z
			}
			if err := k.add([]int32{z}); err != nil {
				t.Error(err)
			}
		}
		if err := k.add(nil); err != nil {
			t.Errorf("%d: %v", c.z, err)
		}
	}
}

// Parities are found although some of their clauses are shortened, and the same parity
// with both values refutes.
func TestShortenedParity(t *testing.T) {
	f := &sat.Formula{}
	for _, c := range [][]int32{{1, 2, 3}, {1, -2, -3}, {-1, 2}, {-1, -2, 3}} {
		f.AddClause(c...) // odd, one clause shortened
	}
	addParity(f, true, 3, 4, 5)
	addParity(f, true, 1, 2, 4, 5)
	if r := Run(f, Options{XOR: true}); !r.Refuted {
		t.Errorf("not refuted: %+v", r.Stats)
	}
	if satisfiable(f) {
		t.Error("the test's formula is satisfiable")
	}
}
