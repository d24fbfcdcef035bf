package cubes_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/sat/drat"
	"treesplit/sat/proof"
	"treesplit/sat/ruletest"
)

// exchanging are options with which shares exchange clauses.
var exchanging = cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 3}, Budget: 50, Shared: true, Exchange: true}

// couple lets two shares search a formula and exchange all they learn, changed by spoil. It returns
// the verdict, the number of exchanged messages, and the error of the proof.
func couple(t *testing.T, f *sat.Formula, spoil func(facts []byte)) (satisfiable bool, exchanged int, wrong error) {
	t.Helper()
	rule := cubes.New(f, exchanging)
	shares := []*logged{newLogged(rule, true), newLogged(rule, false)}
	for turn := 0; !shares[0].Empty() || !shares[1].Empty(); turn++ {
		from, to := shares[turn%2], shares[1-turn%2]
		if from.Expand(5); from.Decided() {
			return true, exchanged, nil
		}
		if piece, ok := splitFor(from, to); ok {
			if err := to.Accept(piece); err != nil {
				t.Fatal(err)
			}
		}
		if facts := from.Export(nil, 1000); len(facts) > 0 {
			exchanged++
			spoil(facts)
			if err := to.Import(facts); err != nil {
				t.Fatal(err)
			}
		}
	}
	return false, exchanged, mergedError(f, shares)
}

// splitFor splits a piece off a share for another share, if that one is empty.
func splitFor(from, to *logged) (piece []byte, ok bool) {
	if !to.Empty() {
		return nil, false
	}
	return from.Split(nil)
}

// mergedError merges the logs and checks the proof.
func mergedError(f *sat.Formula, shares []*logged) error {
	var text bytes.Buffer
	var streams []proof.Stream
	for _, s := range shares {
		s.log.Flush()
		streams = append(streams, bytes.NewReader(s.data.Bytes()))
	}
	out := proof.NewWriter(&text, proof.Text)
	if _, err := proof.MergeLearntFirst(out, streams); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	r, err := drat.Check(f.Clauses(), &text, "proof", drat.Options{Mode: drat.Forward})
	if err == nil && !r.Verified {
		err = fmt.Errorf("not verified: %+v", r)
	}
	return err
}

// threshold draws a formula around the threshold of satisfiability.
func threshold(rng *rand.Rand) *sat.Formula { return ruletest.RandomFormula(rng, 50, 230, 3) }

// Two shares that exchange clauses decide formulas as one share does, and their proofs hold.
func TestExchangedClauses(t *testing.T) {
	rng, refuted, messages := rand.New(rand.NewPCG(3, 4)), 0, 0
	for range 100 {
		f := threshold(rng)
		got, n, wrong := couple(t, f, func([]byte) {})
		alone := newShare(cubes.New(f, cubes.Options{Cut: exchanging.Cut}), true)
		for !alone.Empty() && !alone.Decided() {
			alone.Expand(1000)
		}
		if wrong != nil || got != alone.Decided() {
			t.Fatalf("%v: satisfiable %v, want %v; %v", f, got, alone.Decided(), wrong)
		}
		if messages += n; !got {
			refuted++
		}
	}
	if t.Logf("%d refuted, %d messages", refuted, messages); refuted < 20 || messages < 100 {
		t.Errorf("only %d refuted, %d messages", refuted, messages)
	}
}

// A share that takes in a clause with a wrong sign can give a wrong verdict. The check of the proof finds it.
func TestUnsoundImport(t *testing.T) {
	rng, caught := rand.New(rand.NewPCG(5, 6)), 0
	flip := func(facts []byte) {
		_, n := binary.Uvarint(facts)
		if n++; n < len(facts) && facts[n] < 0x80 && facts[n] > 2 {
			facts[n] = (facts[n] - 1) ^ 1 + 1 // zigzag: x − 1 and x have opposite signs for even x
		}
	}
	for range 200 {
		satisfiable, messages, wrong := couple(t, threshold(rng), flip)
		if wrong != nil && messages == 0 {
			t.Fatalf("without a message: %v", wrong)
		}
		if !satisfiable && wrong != nil {
			caught++
		}
	}
	if t.Logf("caught on %d of 200 formulas", caught); caught == 0 {
		t.Error("the mistake was never caught")
	}
}

// FuzzImport feeds anything to a share: it refuses it, or searches on to a verdict.
func FuzzImport(f *testing.F) {
	formula := ruletest.MakeFamily(f, "php", 0, "n=4")
	rule := cubes.New(formula, exchanging)
	from := newShare(rule, true)
	for !from.Empty() {
		from.Expand(3)
		if facts := from.Export(nil, 100); len(facts) > 0 {
			f.Add(facts)
		}
	}
	f.Add([]byte{0, 1, 2})
	f.Add([]byte{0, 1, 0})
	f.Add([]byte{0, 9, 2, 4, 6, 8, 10, 12, 14, 16, 18})
	f.Add([]byte{0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, facts []byte) {
		s := newShare(rule, true)
		s.Expand(5)
		for range 3 {
			if s.Import(facts) != nil {
				break
			}
		}
		for !s.Empty() && !s.Decided() {
			s.Expand(100)
		}
	})
}
