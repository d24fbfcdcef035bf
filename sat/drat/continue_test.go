package drat

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
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

// Auto returns the same for a proof that arrives in small parts, whose input fails, or that ends within a step. It checks
// the proof of a tree search backward if the proof is recognised too late.
func TestAutoStartsAgain(t *testing.T) {
	formula := pigeonhole(7)
	proof := text(slices.Concat(slices.Repeat([]step{{clause: formula[0]}, {deletion: true, clause: formula[0]}}, 1000), prove(formula, 56, 0)))
	failed := errors.New("the disk is broken")
	for _, c := range []struct {
		name     string
		in       io.Reader
		backward bool
		err      string
	}{
		{"parts", iotest.HalfReader(strings.NewReader(proof)), false, ""},
		{"late", io.MultiReader(strings.NewReader("c"+strings.Repeat(" ", mostKept)+"\n"), strings.NewReader(proof)), true, ""},
		{"broken", io.MultiReader(strings.NewReader(proof[:len(proof)-100]), iotest.ErrReader(failed)), false, failed.Error()},
		{"cut", strings.NewReader(strings.TrimRight(proof, " 0\n") + " "), false, "expected a literal or 0"},
	} {
		r, err := Check(slices.All(formula), c.in, "p", Options{Mode: Auto, Workers: 2})
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && (err != nil || !r.Verified || r.Backward != c.backward) {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
	}
}

// Auto checks the proof of a tree search forward if it begins with other lemmas, however it is read, on any
// number of workers. It checks the proof backward if the other lemmas are the larger part, or if hints are wanted.
func TestAutoOfTreeAfterOtherLemmas(t *testing.T) {
	formula := pigeonhole(7)
	tree := prove(formula, 56, 0)
	if len(tree) < 3*shapeLemmas {
		t.Fatalf("%d steps: expected more", len(tree))
	}
	rng := rand.New(rand.NewPCG(1, 6))
	others := func(n int) (proof []step) {
		for range n { // a clause of the formula and random literals
			clause := slices.Clone(formula[rng.IntN(len(formula))])
			for range 20 {
				clause = append(clause, int32(1+rng.IntN(56)))
			}
			rng.Shuffle(len(clause), func(i, j int) { clause[i], clause[j] = clause[j], clause[i] })
			proof = append(proof, step{clause: clause})
		}
		return proof
	}
	for _, c := range []struct {
		others   int
		o        Options
		backward bool
	}{
		{2000, Options{Mode: Auto}, false}, {2000, Options{Mode: Auto, Workers: 3}, false},
		{30_000, Options{Mode: Auto}, true}, {2000, Options{Mode: Backward}, true}, {2000, Options{Mode: Auto, LRAT: io.Discard}, true},
	} {
		proof := append(others(c.others), tree...)
		r, err := Check(slices.All(formula), strings.NewReader(binary(proof)), "p", c.o)
		if err != nil || !r.Verified || r.Backward != c.backward || r.Lemmas+r.Deletions+r.Unused != int64(len(proof)) && c.o.LRAT == nil {
			t.Errorf("%d other lemmas, %+v: %+v, %v; %d steps", c.others, c.o, r, err, len(proof))
		}
		if !c.backward {
			o := c.o
			o.Mode = Forward
			want, err := Check(slices.All(formula), strings.NewReader(binary(proof)), "p", o)
			if want.Bytes = r.Bytes; err != nil || r != want {
				t.Errorf("%d workers: %+v, forward %+v, %v", o.Workers, r, want, err)
			}
		}
		wrong := slices.Clone(proof)
		wrong[len(wrong)/2] = step{clause: []int32{1}}
		if r, err := Check(slices.All(formula), strings.NewReader(binary(wrong)), "p", c.o); err != nil || r.Verified {
			t.Errorf("%d other lemmas, %+v: a wrong proof is verified: %+v, %v", c.others, c.o, r, err)
		}
	}
}
