package uts

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
)

var splitting = search.DefaultSplitting

// share returns a share of a tree.
func share(t testing.TB, p Params, s search.Splitting, root bool) *Tree {
	t.Helper()
	w, err := New(p, s, root)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestConformance(t *testing.T) {
	splittings := map[string]search.Splitting{
		"half":   {Rule: search.Half, MinOpen: 2},
		"bottom": {Rule: search.Bottom, MinOpen: 1},
		"cutoff": {Rule: search.Half, MinOpen: 1, Cutoff: 5},
	}
	largest := int64(20_000)
	if testing.Short() {
		largest = 2_000
	}
	for _, c := range small {
		if c.want.Size < 1000 || c.want.Size > largest {
			continue
		}
		for name, s := range splittings {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				searchtest.Run(t,
					func() search.Work { return share(t, c.params, s, true) },
					func() search.Work { return share(t, c.params, s, false) },
					c.want.Size)
			})
		}
	}
}

// Shares that split and accept at random must add up to the whole tree's result, not
// only to its size.
func TestResultOfShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, c := range small {
		s := search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1 + rng.IntN(3), Cutoff: rng.IntN(2) * 6}
		shares := []*Tree{share(t, c.params, s, true)}
		for range 3 {
			shares = append(shares, share(t, c.params, s, false))
		}
		for idle := 0; idle < 100; {
			w := shares[rng.IntN(len(shares))]
			if w.Expand(1+rng.IntN(60)) > 0 {
				idle = 0
				continue
			}
			idle++
			if piece, ok := shares[rng.IntN(len(shares))].Split(nil); ok {
				if err := w.Accept(piece); err != nil {
					t.Fatal(err)
				}
			}
		}
		var got Result
		for _, w := range shares {
			got = got.AddResult(w.Result())
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// whole is the stack as ChooseCuts would see it without the view's bound.
type whole Tree

func (w *whole) Levels() int         { return len(w.frames) - w.base }
func (w *whole) Open(level int) int  { return (*openFrames)(w).Open(level) }
func (w *whole) Depth(level int) int { return (*openFrames)(w).Depth(level) }

// A split of a deep stack looks at a bounded part of the stack, but takes the same children as a
// split that looks at the whole stack.
func TestViewIsTheWholeStackToChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	tree := share(t, balanced(100_000, 2), splitting, true)
	deepest := 0
	for range 400 {
		tree.Expand(1 + rng.IntN(2000))
		deepest = max(deepest, (*whole)(tree).Levels())
		s := search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1 + rng.IntN(1500), Cutoff: rng.IntN(2) * rng.IntN(1500)}
		tree.split = s
		want, wantOK := s.ChooseCuts((*whole)(tree), nil)
		got, gotOK := s.ChooseCuts((*openFrames)(tree), nil)
		if gotOK != wantOK || len(got) != len(want) {
			t.Fatalf("%d levels, %+v: %v %v, want %v %v", (*whole)(tree).Levels(), s, got, gotOK, want, wantOK)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%d levels, %+v: %v, want %v", (*whole)(tree).Levels(), s, got, want)
			}
		}
		tree.Split(nil)
	}
	if deepest <= 2*search.MaxLevels {
		t.Fatalf("at most %d levels: the test shows nothing", deepest)
	}
}

// After any number of splits, every frame of a stack has a child left and heights do not
// decrease, and the memory of dropped frames is reclaimed.
func TestStackInvariants(t *testing.T) {
	tree := share(t, balanced(5000, 2), search.Splitting{Rule: search.Half, MinOpen: 1}, true)
	for range 3000 {
		tree.Expand(9)
		tree.Split(nil)
		stack := tree.frames[tree.base:]
		for i, f := range stack {
			if f.lo >= f.hi || i > 0 && f.height < stack[i-1].height {
				t.Fatalf("frame %d of %d: children %d to %d at height %d", i, len(stack), f.lo, f.hi, f.height)
			}
		}
		if tree.base > len(stack) {
			t.Fatalf("%d dropped frames below a stack of %d", tree.base, len(stack))
		}
	}
}

// A piece has many frames. Its memory must not be allocated several times while it grows.
func TestSplitAllocatesOnce(t *testing.T) {
	tree := share(t, Params{Type: Binomial, B0: 2000, Q: 0.124875, M: 8, Seed: 42, Granularity: 1}, splitting, true)
	tree.Expand(20_000)
	least := math.MaxInt
	n := testing.AllocsPerRun(4, func() {
		piece, ok := tree.Split(nil)
		if !ok {
			t.Fatal("the share cannot be split")
		}
		least = min(least, len(piece))
	})
	if n > 1 || least < 300 {
		t.Errorf("a split allocates %v times, and the smallest piece has %d bytes: expected 1 allocation and many frames", n, least)
	}
}

// Accept refuses a piece that does not fit the tree's parameters, and the error names the place.
func TestAcceptRefuses(t *testing.T) {
	p := balanced(10, 3)
	state := bytes.Repeat([]byte{7}, 20)
	heavy := func(height, lo, count uint64, weight float64) []byte {
		b := append(binary.AppendUvarint(nil, height), state...)
		b = binary.AppendUvarint(binary.AppendUvarint(b, lo), count)
		return binary.BigEndian.AppendUint64(b, math.Float64bits(weight))
	}
	frame := func(height, lo, count uint64) []byte { return heavy(height, lo, count, 1./9) }
	piece := func(count byte, frames ...[]byte) []byte {
		return append([]byte{pieceVersion, count}, bytes.Join(frames, nil)...)
	}
	for _, c := range []struct {
		name  string
		piece []byte
		ok    bool
	}{
		{"all children", piece(1, frame(0, 0, 3)), true},
		{"two frames of a height", piece(2, frame(4, 1, 2), frame(0, 2, 1)), true},
		{"the whole tree", piece(0), true},
		{"nothing", nil, false},
		{"no number of frames", []byte{pieceVersion}, false},
		{"no frames and a byte", append(piece(0), 0), false},
		{"another version", append([]byte{pieceVersion + 1}, piece(1, frame(0, 0, 3))[1:]...), false},
		{"a frame too few", piece(2, frame(0, 0, 3)), false},
		{"trailing byte", append(piece(1, frame(0, 0, 3)), 0), false},
		{"no children given", piece(1, frame(0, 1, 0)), false},
		{"a child too many", piece(1, frame(0, 1, 3)), false},
		{"first child beyond", piece(1, frame(0, 3, 1)), false},
		{"a leaf's child", piece(1, frame(10, 0, 1)), false},
		{"second frame at a leaf", piece(2, frame(9, 0, 1), frame(1, 0, 1)), false},
		{"great height", piece(1, frame(1<<31, 0, 1)), false},
		{"counts that overflow", piece(1, frame(0, 1, 1<<64-1)), false},
		{"heights that overflow", piece(2, frame(9, 0, 1), frame(1<<64-9, 0, 1)), false},
		{"children without weight", piece(1, heavy(0, 0, 3, 0)), true},
		{"the whole weight", piece(1, heavy(0, 0, 1, 1)), true},
		{"a weight of more than 1", piece(1, heavy(0, 0, 1, 1.01)), false},
		{"more than 1 in all", piece(1, heavy(0, 0, 3, 0.5)), false},
		{"more than 1 in all, the second frame after little", piece(2, heavy(0, 0, 1, 1e-200), heavy(1, 0, 2, 0.6)), false},
		{"a negative weight", piece(1, heavy(0, 0, 3, -0.1)), false},
		{"a negative weight that another makes good", piece(2, heavy(0, 0, 3, -0.2), heavy(1, 0, 2, 0.5)), false},
		{"a weight that is no number", piece(1, heavy(0, 0, 3, math.NaN())), false},
		{"an endless weight", piece(1, heavy(0, 0, 3, math.Inf(1))), false},
		{"a weight cut short", piece(1, frame(0, 0, 3)[:28]), false},
		{"a piece of version 1, without weights", append([]byte{1, 1}, frame(0, 0, 3)[:23]...), false},
		{"many frames announced", piece(0xff, []byte{0xff, 0xff, 0x07}), false},
	} {
		w := share(t, p, splitting, false)
		if err := w.Accept(c.piece); (err == nil) != c.ok || w.Empty() == c.ok {
			t.Errorf("%s: %v, empty %v", c.name, err, w.Empty())
		}
	}
	busy := share(t, p, splitting, true)
	if busy.Accept(piece(1, frame(0, 0, 3))) == nil {
		t.Error("a share with work accepted a piece")
	}
}

// FuzzAccept: any bytes are refused or give a stack that fits the tree, and what was
// accepted can be walked, split and accepted again.
func FuzzAccept(f *testing.F) {
	params := []Params{DefaultParams(), binomialTree(0.3, 3, 5), hybridTree(ExpDec, 9, 3, 1), balanced(6, 3), geometricTree(Cyclic, 4, 5, 2)}
	for which, p := range params {
		donor := share(f, p, search.Splitting{Rule: search.Half, MinOpen: 1}, true)
		donor.Expand(40)
		if piece, ok := donor.Split(nil); ok {
			f.Add(uint8(which), piece)
		}
		if !donor.Empty() {
			f.Add(uint8(which), donor.Pack(nil))
		}
	}
	f.Add(uint8(0), []byte{pieceVersion, 0})
	f.Add(uint8(0), []byte{pieceVersion, 1, 0xff, 0xff, 0xff, 0xff, 0x03})
	f.Fuzz(func(t *testing.T, which uint8, piece []byte) {
		p := params[int(which)%len(params)]
		w := share(t, p, search.Splitting{Rule: search.Half, MinOpen: 1}, false)
		if w.Accept(piece) != nil {
			if !w.Empty() || w.Expand(1) != 0 {
				t.Fatal("a refused piece left work")
			}
			return
		}
		if !search.IsSoundWeight(w.Weight()) {
			t.Fatalf("weight %v", w.Weight())
		}
		for _, f := range w.frames {
			if k := p.childCount(int(f.height), f.state.randomValue()); f.lo < 0 || f.lo >= f.hi || int(f.hi) > k {
				t.Fatalf("children %d to %d of a node with %d", f.lo, f.hi, k)
			}
		}
		if err := w.Accept(w.Pack(nil)); err != nil {
			t.Fatalf("an accepted piece as a whole: %v", err)
		}
		w.Expand(100)
		if again, ok := w.Split(nil); ok {
			if err := share(t, p, splitting, false).Accept(again); err != nil {
				t.Fatalf("a piece of an accepted piece: %v", err)
			}
		}
	})
}
