package drat

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// The checker and the reference accept the proofs of a tree search. If a step or a literal is
// dropped, two steps are exchanged, or all are reversed, the two agree.
func TestTreeProofs(t *testing.T) {
	runs := 1500
	if testing.Short() {
		runs = 150
	}
	var proved, refused int
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		n := 5 + r.IntN(12)
		formula := random3SAT(r, n, 7*n)
		proof := prove(formula, n, r.IntN(4))
		if proof == nil {
			if n <= 12 && !satisfiable(formula, n) {
				t.Fatalf("seed %d: the prover is wrong", seed)
			}
			continue
		}
		proved++
		if !agree(t, formula, proof).Verified {
			t.Fatalf("seed %d: refused", seed)
		}
		for range 4 {
			m := mutate(r, proof)
			if !agree(t, formula, m).Verified {
				refused++
			}
		}
	}
	t.Logf("%d proofs, %d mutants refused", proved, refused)
	if proved < runs/2 || refused < runs/2 {
		t.Error("too few of either to mean much")
	}
}

// mutate returns a proof with something wrong, perhaps.
func mutate(r *rand.Rand, proof []step) []step {
	m := slices.Clone(proof)
	i, j := r.IntN(len(m)), r.IntN(len(m))
	switch r.IntN(5) {
	case 0:
		return slices.Delete(m, i, i+1)
	case 1:
		if c := m[i].clause; len(c) > 0 {
			k := r.IntN(len(c))
			m[i].clause = slices.Delete(slices.Clone(c), k, k+1)
		}
	case 2:
		m[i], m[j] = m[j], m[i]
	case 3:
		if c := m[i].clause; len(c) > 0 {
			m[i].clause = slices.Clone(c)
			m[i].clause[r.IntN(len(c))] *= -1
		}
	default:
		slices.Reverse(m)
	}
	return m
}

// The proof among the examples is what the prover writes.
func TestExampleProof(t *testing.T) {
	file, err := os.ReadFile("../../testdata/php4.drat")
	if err != nil {
		t.Fatal(err)
	}
	proof := prove(pigeonhole(4), 20, 4)
	if !agree(t, pigeonhole(4), proof).Verified || !strings.HasSuffix(string(file), "holes\n"+text(proof)) {
		t.Error("testdata/php4.drat is another proof")
	}
}
