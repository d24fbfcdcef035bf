package drat

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mutateSteps changes a proof in a few places.
func mutateSteps(r *rand.Rand, proof []step, variables int32) []step {
	proof = slices.Clone(proof)
	for range 1 + r.IntN(3) {
		if len(proof) == 0 {
			return proof
		}
		i, j := r.IntN(len(proof)), r.IntN(len(proof))
		c := slices.Clone(proof[i].clause)
		switch k := r.IntN(max(len(c), 1)); r.IntN(8) {
		case 0:
			proof = slices.Delete(proof, i, i+1)
			continue
		case 1:
			proof = slices.Insert(proof, j, proof[i])
			continue
		case 2:
			proof[i], proof[j] = proof[j], proof[i]
			continue
		case 3:
			proof = proof[:i]
			continue
		case 4:
			proof[i].deletion = !proof[i].deletion
			continue
		case 5:
			c = append(c, 1+r.Int32N(variables))
		case 6:
			if len(c) > 0 {
				c[k] = -c[k]
			}
		case 7:
			if len(c) > 0 {
				c = slices.Delete(c, k, k+1)
			}
		}
		proof[i].clause = c
	}
	return proof
}

// The checker and the definitions give the same result for proofs changed at random, and for
// proofs of a formula that has lost a clause. A formula with a model is never refuted. In the
// binary format bits are flipped too.
func TestMutatedProofs(t *testing.T) {
	const variables = 7
	verified, refused := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		formula := random3SAT(r, variables, 60)
		proof := prove(formula, variables, 3)
		if proof == nil {
			continue
		}
		if r.IntN(3) == 0 {
			formula = slices.Delete(slices.Clone(formula), 0, 1+r.IntN(30))
		}
		mutated := mutateSteps(r, proof, variables)
		verdicts := []Report{agree(t, formula, mutated)}
		bits := []byte(binary(mutated))
		if len(bits) > 0 {
			bits[r.IntN(len(bits))] ^= 1 << r.IntN(8)
		}
		if steps, _, err := parse(strings.NewReader(string(bits))); err == nil {
			verdicts = append(verdicts, agree(t, formula, steps))
		}
		for _, v := range verdicts {
			if v.Verified && satisfiable(formula, variables) {
				t.Fatalf("seed %d: verified, but satisfiable: %v", seed, formula)
			}
			verified += bit(v.Verified)
			refused += bit(!v.Verified)
		}
	}
	if t.Logf("%d verified, %d refused", verified, refused); min(verified, refused) < 50 {
		t.Error("too few of one kind")
	}
}
