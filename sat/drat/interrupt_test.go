package drat

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// A check that is interrupted at any moment returns ErrInterrupted and verifies nothing, in all modes and
// with more workers. A check that is asked fewer times than it asks is verified.
func TestInterrupted(t *testing.T) {
	formula := [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}
	var proof, hints strings.Builder
	const lemmas = 40_000
	for i := range lemmas {
		fmt.Fprintf(&proof, "1 %d 0\n", 3+i)
		fmt.Fprintf(&hints, "%d 1 %d 0 1 2 0\n", 5+i, 3+i)
	}
	proof.WriteString("1 0\n0\n")
	fmt.Fprintf(&hints, "%d 1 0 1 2 0\n%d 0 %d 3 4 0\n", 5+lemmas, 6+lemmas, 5+lemmas)
	for name, o := range map[string]Options{
		"forward":       {Mode: Forward},
		"together":      {Mode: Forward, Workers: 3},
		"backward":      {Mode: Backward},
		"backward LRAT": {Mode: Backward, LRAT: io.Discard},
		"LRAT":          {Format: LRAT},
		"LRAT together": {Format: LRAT, Workers: 3},
	} {
		text := proof.String()
		if o.Format == LRAT {
			text = hints.String()
		}
		asked := 0
		check := func(limit int) (Report, error) {
			asked = 0
			o.Interrupted = func() bool { asked++; return asked > limit }
			return Check(slices.All(formula), strings.NewReader(text), "p", o)
		}
		if r, err := check(1 << 30); err != nil || !r.Verified || asked < 3 {
			t.Fatalf("%s: %+v, %v; asked %d times", name, r, err, asked)
		}
		last := asked
		for limit := 0; limit < last; limit += 1 + limit/4 {
			if r, err := check(limit); !errors.Is(err, ErrInterrupted) || r.Verified {
				t.Fatalf("%s, %d: %+v, %v", name, limit, r, err)
			}
		}
	}
}

// If the lemmas take too much memory for a backward check, the steps that were read are checked forward. An
// interruption ends this check too.
func TestInterruptedContinuation(t *testing.T) {
	formula := [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}
	const lemmas = 300
	var proof strings.Builder
	for i := range lemmas {
		fmt.Fprintf(&proof, "1 %d 0\nd 1 %d 0\n", 3+i, 3+i)
	}
	proof.WriteString("1 0\n0\n")
	asked := 0
	check := func(limit int) (Report, error) {
		asked = 0
		b := newBackward()
		b.room, b.slack = 4*lemmas, 0
		o := Options{Mode: Auto, Interrupted: func() bool { asked++; return asked > limit }}
		return b.checkProof(slices.All(formula), newParser(strings.NewReader(proof.String())), "p", o)
	}
	if r, err := check(1 << 30); err != nil || !r.Verified || r.Backward || asked < 3 {
		t.Fatalf("%+v, %v; asked %d times", r, err, asked)
	}
	for limit := range asked {
		if r, err := check(limit); !errors.Is(err, ErrInterrupted) || r.Verified {
			t.Fatalf("%d: %+v, %v", limit, r, err)
		}
	}
}
