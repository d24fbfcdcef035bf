package drat

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"treesplit/internal/fileio"
)

// check checks a proof that can be read. The checker compacts its clauses as soon as
// half of them are deleted.
func check(t testing.TB, formula [][]int32, proof string) Report {
	t.Helper()
	c := newChecker()
	c.slack = 0
	r, err := c.checkProof(slices.All(formula), newParser(plainReader(t, proof)), "p", Options{})
	if err != nil {
		t.Fatalf("%v\n%v\n%s", err, formula, proof)
	}
	if r.Verified != (r.Refusal == "") {
		t.Fatalf("verified %v, refusal %q", r.Verified, r.Refusal)
	}
	return r
}

// plainReader returns a reader of a proof, which may be compressed.
func plainReader(t testing.TB, proof string) io.Reader {
	plain, err := fileio.NewTextReader(strings.NewReader(proof), maxProof)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { plain.Close() })
	return plain
}

// agree checks a proof in both formats against the reference.
func agree(t testing.TB, formula [][]int32, proof []step) Report {
	t.Helper()
	want := reference(formula, proof)
	for _, p := range []string{text(proof), binary(proof)} {
		r := check(t, formula, p)
		got := r
		got.Refusal, got.Line, got.Offset, got.Binary, got.Extensions, got.Bytes = "", 0, 0, false, 0, 0
		if got != want {
			t.Fatalf("got %+v\nwant %+v\n%v\n%s", r, want, formula, text(proof))
		}
	}
	return want
}

// satisfiable tries all assignments of at most 20 variables.
func satisfiable(formula [][]int32, variables int) bool {
next:
	for bits := range 1 << variables {
		for _, c := range formula {
			if !slices.ContainsFunc(c, func(l int32) bool {
				return bits>>(max(l, -l)-1)&1 == bit(l > 0)
			}) {
				continue next
			}
		}
		return true
	}
	return false
}

// randomClause draws a clause of least to most literals, at times with repeated and
// complementary ones.
func randomClause(r *rand.Rand, variables, least, most int) []int32 {
	c := make([]int32, least+r.IntN(most-least+1))
	for i := range c {
		if c[i] = 1 + r.Int32N(int32(variables)); r.IntN(2) == 0 {
			c[i] = -c[i]
		}
	}
	return c
}

// randomProof draws steps that have some sense: lemmas that often follow, at times
// by RAT, sharing literals with the one before; deletions of clauses that are there.
func randomProof(r *rand.Rand, formula [][]int32, variables, longest int) (proof []step) {
	there := slices.Clone(formula)
	n := &naive{top: map[int32]bool{}}
	for _, c := range formula {
		n.add(c)
	}
	var last []int32
	for range r.IntN(40) {
		switch r.IntN(8) {
		case 0, 1:
			if i := r.IntN(len(there)); r.IntN(6) > 0 {
				c := slices.Clone(there[i])
				r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
				proof = append(proof, step{true, c})
				there = append(slices.Delete(there, i, i+1), []int32{1})
				n.remove(c)
				continue
			}
			proof = append(proof, step{true, randomClause(r, variables, 1, 3)})
			n.remove(proof[len(proof)-1].clause)
		default:
			var c []int32
			for range 20 { // mostly a lemma that holds
				c = randomClause(r, variables+r.IntN(2), 1, longest)
				if len(last) > 0 && r.IntN(2) == 0 {
					c = append(slices.Clone(last[:r.IntN(len(last)+1)]), c[0])
				}
				if n.rup(c) || n.rat(c) || r.IntN(40) == 0 {
					break
				}
			}
			last = c
			proof = append(proof, step{false, c})
			there = append(there, c)
			n.add(c)
		}
	}
	if r.IntN(2) == 0 {
		proof = append(proof, step{})
	}
	return proof
}

// On random formulas and proofs the checker says what the definitions say, step by
// step, and a verified formula has no model.
func TestAgreesWithReference(t *testing.T) {
	runs := 20000
	if testing.Short() {
		runs = 3000
	}
	var verified, refused, rat, ignored, missing int64
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		variables, longest := 2+r.IntN(6), 3+2*r.IntN(2)
		formula := make([][]int32, variables+r.IntN((longest+1)*variables))
		for i := range formula {
			formula[i] = randomClause(r, variables, 1+bit(i > 0), longest)
		}
		got := agree(t, formula, randomProof(r, formula, variables, longest))
		if got.Verified && satisfiable(formula, variables) {
			t.Fatalf("seed %d: verified, but satisfiable: %v", seed, formula)
		}
		if got.Verified && got.Step > 1 {
			verified++
		} else if !got.Verified && got.Lemmas > 1 {
			refused++
		}
		rat += got.RAT
		ignored += got.Ignored
		missing += got.Missing
	}
	t.Logf("%d runs: %d verified, %d refused after a lemma, %d by RAT, %d deletions ignored, %d missing", runs, verified, refused, rat, ignored, missing)
	if least := int64(runs / 40); min(verified, refused, rat, ignored, missing) < least {
		t.Errorf("the random proofs do not exercise every case %d times", least)
	}
}
