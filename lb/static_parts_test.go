package lb_test

import (
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
)

var dealtShape = explore.Shape{Seed: 11, Depth: 12, Width: 4}

// For any operations on ranges of parts and on parts, every node is expanded once, and
// redundant nodes are counted separately.
func TestDealtShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := explore.Shape{Seed: rapid.Uint64Range(0, 500).Draw(t, "tree"), Depth: 9, Width: 3}
		k := rapid.IntRange(0, 12).Draw(t, "k")
		shares := make([]search.Packer, 4)
		for i := range shares {
			to := uint64(0)
			if i == 0 {
				to = 1 << k
			}
			shares[i] = lb.NewDealt(explore.NewToy(shape, false), k, 7, 0, to)
		}
		total := 0
		for range 200 {
			from := shares[rapid.IntRange(0, 3).Draw(t, "from")]
			to := shares[rapid.IntRange(0, 3).Draw(t, "to")]
			total += from.Expand(rapid.IntRange(1, 9).Draw(t, "max"))
			if from == to || from.Empty() || !to.Empty() {
				continue
			}
			var piece []byte
			ok := true
			if rapid.Bool().Draw(t, "whole") {
				piece = from.Pack(nil)
				if !from.Empty() {
					t.Fatal("the share is not empty after Pack")
				}
			} else if piece, ok = from.Split(nil); ok && from.Empty() {
				t.Fatal("the donor is empty after Split")
			}
			if ok {
				if err := to.Accept(piece); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, s := range shares {
			for !s.Empty() {
				total += s.Expand(1000)
			}
		}
		if total != shape.CountNodes() {
			t.Fatalf("the shares expand %d nodes of %d", total, shape.CountNodes())
		}
	})
}

// Hostile pieces are refused and leave the share empty, or are ranges that can be searched to
// their end.
func FuzzDealt(f *testing.F) {
	d := lb.NewDealt(explore.NewToy(dealtShape, false), 6, 1, 0, 64)
	d.Expand(40)
	piece, _ := d.Split(nil)
	f.Add(piece)
	f.Add(d.Pack(nil))
	f.Add([]byte{0xDE})
	f.Add([]byte{0xDF, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0}) // a scale of 1/2
	f.Add(append([]byte{0xDF, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0}, piece...))
	f.Fuzz(func(t *testing.T, piece []byte) {
		shape := explore.Shape{Seed: 1, Depth: 4, Width: 3}
		w := lb.NewDealt(explore.NewToy(shape, false), 0, 0, 0, 0)
		if err := w.Accept(piece); err != nil {
			if !w.Empty() {
				t.Fatalf("the share is not empty after it has refused a piece (%v)", err)
			}
			return
		}
		for range 100 { // a range may have 2^63 parts, nearly all of them empty
			if w.Empty() {
				return
			}
			w.Expand(100)
			w.Split(nil)
		}
	})
}

// Nodes of other parts on the way to a part are counted separately. Over all parts, each
// searched alone, the redundant nodes are the nodes that parts have in common.
func TestRedundantNodes(t *testing.T) {
	const k = 5
	total, redundant := 0, int64(0)
	for i := range uint64(1 << k) {
		w := lb.NewDealt(explore.NewToy(dealtShape, false), k, 3, i, i+1)
		for !w.Empty() {
			total += w.Expand(1 << 20)
		}
		redundant += lb.Redundant(w)
	}
	if total != dealtShape.CountNodes() {
		t.Errorf("the parts have %d nodes of %d", total, dealtShape.CountNodes())
	}
	if most := int64(1<<k) * 40; redundant < 1<<k-1 || redundant > most {
		t.Errorf("%d nodes expanded again: expected at least one for each part but one, and at most %d", redundant, most)
	}
}

// Pieces with many different orders are checked without computing any permutation: 26 bytes of
// a checkpoint would allocate 48 KiB each.
func TestOrdersAreMadeWhenNeeded(t *testing.T) {
	const count = 2000
	shape := explore.Shape{Seed: 1, Depth: 5, Width: 3}
	pieces := make([][]byte, count)
	for seed := range pieces {
		pieces[seed] = lb.NewDealt(explore.NewToy(shape, false), 20, uint64(seed), 3, 5).Pack(nil)
	}
	w := lb.AcceptParts(explore.NewToy(shape, false))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := search.CheckPieces(w, pieces); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1000*count {
		t.Errorf("%d pieces of %d bytes took %d bytes", count, len(pieces[0]), bytes)
	}
}
