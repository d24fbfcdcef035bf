package drat

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// extendedPigeonhole is Cook's proof of PHP(n) by extended resolution, of n⁴ order
// where resolution takes exponentially many steps: from pigeons in k holes it defines
// pigeons in k-1 holes, q(p,h) ↔ old(p,h) ∨ (old(p,k) ∧ old(k+1,h)). Definitions are
// RAT on the new variable. (S. A. Cook, "A short proof of the pigeon hole principle
// using extended resolution", SIGACT News 8 (1976).)
func extendedPigeonhole(n int) (proof []step) {
	old := func(p, h int) int32 { return int32(p*n + h + 1) }
	next := int32((n+1)*n + 1)
	lemma := func(c ...int32) { proof = append(proof, step{false, c}) }
	for k := n - 1; k >= 1; k-- { // from k+1 holes to k; the last pigeon is k+1, the last hole k
		first := next
		q := func(p, h int) int32 { return first + int32(p*k+h) }
		next += int32((k + 1) * k)
		for p := range k + 1 {
			for h := range k {
				lemma(q(p, h), -old(p, h))
				lemma(q(p, h), -old(p, k), -old(k+1, h))
				lemma(-q(p, h), old(p, h), old(p, k))
				lemma(-q(p, h), old(p, h), old(k+1, h))
			}
		}
		for p := range k + 1 {
			var c []int32
			for h := range k {
				c = append(c, q(p, h))
			}
			lemma(c...)
			for r := range p {
				for h := range k {
					lemma(-q(r, h), -q(p, h), -old(r, h))
					lemma(-q(r, h), -q(p, h))
				}
			}
		}
		old = q
	}
	lemma()
	return proof
}

// Definitions of new variables are RAT and nothing else here is; with the pivot in
// another place than the first they are refused.
func TestExtendedResolution(t *testing.T) {
	for n := 2; n <= 4; n++ {
		if got := agree(t, pigeonhole(n), extendedPigeonhole(n)); !got.Verified {
			t.Errorf("PHP(%d): %+v", n, got)
		}
	}
	formula, proof := pigeonhole(12), extendedPigeonhole(12)
	variables := 0
	for k := 1; k < 12; k++ {
		variables += (k + 1) * k
	}
	if r := check(t, formula, text(proof)); !r.Verified || r.Extensions != variables {
		t.Errorf("PHP(12): %+v, want %d variables", r, variables)
	}
	for i, s := range proof[:4] {
		m := slices.Clone(proof)
		m[i].clause = append(slices.Clone(s.clause[1:]), s.clause[0])
		if r := check(t, formula, text(m)); r.Verified {
			t.Errorf("verified with the first literal of lemma %d last", i+1)
		}
	}
}

// A blocked clause that was deleted may come back: on its blocking literal, as long
// as nothing has been derived from its absence.
func TestBlockedClauses(t *testing.T) {
	formula := [][]int32{{1, 2}, {-1, -2, 3}, {-1, 2}, {4, 5, 6}, {4, 5, -6}}
	for _, c := range []struct{ proof, refusal string }{
		{"3 0\n", "after 1 steps"}, // pure
		{"-3 0\n", "line 1: clause -3 0 is neither implied by unit propagation nor has the RAT property on -3"},
		{"d 1 2 0\n2 1 0\n", "after 2 steps"}, // on 2, where the resolvent with (-1 -2 3) is a tautology
		{"d 1 2 0\n1 2 0\n", "line 2: clause 1 2 0 is neither implied by unit propagation nor has the RAT property on 1"}, // (-1 2)
		{"d 1 2 0\nc\n-1 0\n2 1 0\n", "after 3 steps"},
		{"d 1 2 0\n-1 0\n-2 0\n2 1 0\n", "line 4: clause 2 1 0 "},                 // ¬2 was derived meanwhile
		{"d 1 2 0\n-1 0\n-2 0\nd -2 0\nd -1 0\n2 1 0\n", "line 6: clause 2 1 0 "}, // and stays
		{"4 5 0\n4 -5 0\n-4 5 0\n", "line 3: clause -4 5 0 "},
		{"0\n", "line 1: the empty clause 0 is not implied by unit propagation"},
	} {
		r := check(t, formula, c.proof)
		if !strings.Contains(r.Refusal, c.refusal) {
			t.Errorf("%q: %+v, want %q", c.proof, r, c.refusal)
		}
	}
}

// Mutants of proofs with many RAT steps.
func TestExtendedMutants(t *testing.T) {
	formula, proof := pigeonhole(3), extendedPigeonhole(3)
	refused := 0
	for seed := range uint64(400) {
		m := mutate(rand.New(rand.NewPCG(seed, 5)), proof)
		if !agree(t, formula, m).Verified {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("only %d of 400 mutants refused", refused)
	}
}
