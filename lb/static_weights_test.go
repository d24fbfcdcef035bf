package lb_test

import (
	"encoding/binary"
	"math"
	"testing"

	"pgregory.net/rapid"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
)

// light is a toy with a third of the usual weight, so that the parts of a static start must be
// scaled.
type light struct{ *explore.Toy }

func (l light) Weight() float64 { return l.Toy.Weight() / 3 }

func newLight(shape explore.Shape) light { return light{explore.NewToy(shape, false)} }

// Parts have the weight 2^−k when they wait and when they are begun, unless they are empty.
// Dealt shares together always have the same weight, for any distribution of the parts.
func TestDealtSharesWeigh(t *testing.T) {
	scaled := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := explore.Shape{Seed: rapid.Uint64Range(0, 500).Draw(t, "tree"), Depth: 9, Width: 3}
		k := rapid.IntRange(1, 8).Draw(t, "k")
		shares := make([]search.Packer, 3)
		for i := range shares {
			to := uint64(0)
			if i == 0 {
				to = 1 << k
			}
			shares[i] = lb.NewDealt(newLight(shape), k, 7, 0, to)
		}
		sum := func() (all float64) {
			for _, s := range shares {
				size := search.SizeOf(s)
				if s.Empty() != (size == search.Size{}) {
					t.Fatalf("a share has size %v, empty %v", size, s.Empty())
				}
				all += size.Weight
			}
			return all
		}
		if sum() != 1 {
			t.Fatalf("all parts have the weight %v", sum())
		}
		for range 100 {
			from, to := shares[rapid.IntRange(0, 2).Draw(t, "from")], shares[rapid.IntRange(0, 2).Draw(t, "to")]
			before := sum()
			if from.Expand(rapid.IntRange(1, 9).Draw(t, "max")); sum() > before+1e-12 {
				t.Fatalf("Expand changed the weight from %v to %v", before, sum())
			}
			if from == to || from.Empty() || !to.Empty() {
				continue
			}
			before = sum()
			var piece []byte
			ok := true
			if rapid.Bool().Draw(t, "whole") {
				piece = from.Pack(nil)
			} else {
				piece, ok = from.Split(nil)
			}
			if !ok {
				continue
			}
			if piece[0] == 0xDF {
				scaled++
			}
			if err := to.Accept(piece); err != nil {
				t.Fatal(err)
			}
			if after := sum(); math.Abs(after-before) > 1e-12 {
				t.Fatalf("a piece changed the weight from %v to %v", before, after)
			}
		}
	})
	if scaled == 0 {
		t.Error("no piece had a scale: the test shows nothing")
	}
}

// Invalid scales are refused and leave the share empty.
func TestScaleRefused(t *testing.T) {
	shape := explore.Shape{Seed: 11, Depth: 12, Width: 4}
	donor := explore.NewToy(shape, true)
	donor.Expand(50)
	piece, ok := donor.Split(nil)
	if !ok {
		t.Fatal("the share cannot be split")
	}
	scale := func(by float64, rest []byte) []byte {
		return append(binary.BigEndian.AppendUint64([]byte{0xDF}, math.Float64bits(by)), rest...)
	}
	for _, c := range []struct {
		name  string
		piece []byte
		ok    bool
	}{
		{"no scale", piece, true},
		{"half", scale(0.5, piece), true},
		{"1, which needs none", scale(1, piece), false},
		{"0", scale(0, piece), false},
		{"negative", scale(-1, piece), false},
		{"no number", scale(math.NaN(), piece), false},
		{"endless", scale(math.Inf(1), piece), false},
		{"so much that it weighs more than all", scale(1e9, piece), false},
		{"two scales", scale(0.5, scale(0.5, piece)), false},
		{"nothing after it", scale(0.5, nil), false},
		{"cut short", scale(0.5, nil)[:5], false},
		{"of parts alone", scale(0.5, lb.NewDealt(explore.NewToy(shape, false), 3, 1, 2, 5).Pack(nil)), false},
	} {
		w := lb.NewDealt(explore.NewToy(shape, false), 0, 0, 0, 0)
		if err := w.Accept(c.piece); (err == nil) != c.ok || w.Empty() == c.ok {
			t.Errorf("%s: %v, empty %v", c.name, err, w.Empty())
		}
	}
}
