package drat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A proof whose lemmas take too much memory for a backward check is checked forward, with the
// same result as if it had been from the beginning; under mode backward it is an error.
func TestContinueForward(t *testing.T) {
	continued, refused := 0, 0
	formula := pigeonhole(5)
	original := prove(formula, 30, 1)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		proof := original
		if seed%2 == 0 {
			proof = mutateSteps(r, proof, 30)
		}
		for _, p := range []string{text(proof), binary(proof)} {
			b := newBackward()
			b.room, b.slack = 500+r.IntN(1000), 0
			report, err := b.checkProof(slices.All(formula), newParser(strings.NewReader(p)), "p", Options{Mode: Auto})
			c := newChecker()
			c.room, c.slack = b.room, 0
			want, wantErr := c.checkProof(slices.All(formula), newParser(strings.NewReader(p)), "p", Options{})
			if report.Backward || err == nil && report.Checked == 0 {
				continue // the first pass ended
			}
			report.Bytes, want.Bytes = 0, 0
			if fmt.Sprint(err) != fmt.Sprint(wantErr) && (err == nil) != (wantErr == nil) {
				t.Fatalf("seed %d: %v, want %v", seed, err, wantErr)
			}
			if err != nil {
				continue
			}
			if !report.Verified { // the missing deletions count from the beginning
				report.Deletions -= report.Missing - want.Missing
				report.Missing = want.Missing
			}
			before, after, _ := strings.Cut(report.Refusal, ": ")
			_, wantReason, _ := strings.Cut(want.Refusal, ": ")
			if report.Refusal = want.Refusal; report != want || len(after) != len(wantReason) && !strings.Contains(after, "RAT") {
				t.Fatalf("seed %d: %+v at %s, want %+v\n%v\n%s", seed, report, before, want, formula, text(proof))
			}
			continued++
			refused += bit(!report.Verified)
			b = newBackward()
			b.room, b.slack = c.room, 0
			if _, err := b.checkProof(slices.All(formula), newParser(strings.NewReader(p)), "p", Options{Mode: Backward}); err == nil || !strings.Contains(err.Error(), "expected the mode forward or auto") {
				t.Fatal(err)
			}
		}
	}
	if t.Logf("%d continued, %d of them refused", continued, refused); continued < 40 || refused < 10 {
		t.Error("too few")
	}
}

// Auto checks the proof of a tree search forward, and other proofs backward.
func TestAuto(t *testing.T) {
	formula := pigeonhole(4)
	for _, c := range []struct {
		proof    []step
		backward bool
	}{{prove(formula, 20, 4), false}, {extendedPigeonhole(4), true}} {
		for _, p := range []string{text(c.proof), binary(c.proof)} {
			r, err := Check(slices.All(formula), strings.NewReader(p), "p", Options{Mode: Auto})
			if err != nil || !r.Verified || r.Backward != c.backward {
				t.Errorf("%+v, %v", r, err)
			}
		}
	}
	for _, o := range []Options{{Mode: "sideways"}, {Format: "dimacs"}} {
		if _, err := Check(slices.All(formula), strings.NewReader(""), "p", o); err == nil || !strings.Contains(err.Error(), ": expected ") {
			t.Error(err)
		}
	}
}
