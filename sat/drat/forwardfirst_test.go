package drat

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Mode auto with many workers, which checks forward first, has the verdict and the refusal of mode auto with one worker.
func TestForwardFirst(t *testing.T) {
	runs := 2000
	if testing.Short() {
		runs = 400
	}
	var forward, again, refused, failed int
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 19))
		variables := 4 + r.IntN(5)
		formula := random3SAT(r, variables, 7*variables)
		proof := prove(formula, variables, r.IntN(4))
		if seed%2 == 0 {
			formula, proof = pigeonhole(3), extendedPigeonhole(3) // no tree
		}
		if seed%3 > 0 {
			proof = mutateSteps(r, proof, int32(variables))
		}
		if seed%5 == 0 { // a lemma that does not hold and is not needed
			proof = slices.Insert(proof, 0, step{clause: []int32{900}}, step{clause: []int32{-900, 901}})
		}
		p := damage(r, text(proof))
		o := Options{Mode: Auto, Format: DRAT}
		want, wantErr := Check(slices.All(formula), strings.NewReader(p), "p", o)
		o.Workers = manyWorkers
		o.Reopen = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(p)), nil }
		got, err := Check(slices.All(formula), strings.NewReader(p), "p", o)
		switch {
		case (err == nil) != (wantErr == nil):
			t.Fatalf("%v, want %v\n%v\n%s", err, wantErr, formula, p)
		case err != nil:
			failed++
		case got.Verified != want.Verified || got.Refusal != want.Refusal || got.Step != want.Step:
			t.Fatalf("%+v, want %+v\n%v\n%s", got, want, formula, p)
		case !got.Verified:
			refused++
		case got.Backward:
			again++
		default:
			forward++
		}
	}
	t.Logf("%d verified forward, %d again, %d refused, %d failed", forward, again, refused, failed)
	if min(forward, again, refused, failed) < runs/100 {
		t.Error("the proofs do not exercise every case")
	}
}

// A proof that cannot be read again is an error, unless it is verified the first time.
func TestReopenFails(t *testing.T) {
	gone := errors.New("the file is gone")
	o := Options{Mode: Auto, Workers: manyWorkers, Reopen: func() (io.ReadCloser, error) { return nil, gone }}
	formula := [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}
	if r, err := Check(slices.All(formula), strings.NewReader("1 0\n"), "p", o); err != nil || !r.Verified || r.Backward {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Check(slices.All(formula), strings.NewReader("3 0\n-3 9 0\n1 0\n"), "p", o); !errors.Is(err, gone) || r.Verified {
		t.Errorf("%+v, %v", r, err)
	}
}
