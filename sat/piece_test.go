package sat

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"treesplit/search"
)

// Pieces of (1 ∨ 2 ∨ 3) ∧ (¬1 ∨ 2 ∨ 3), written down by hand from the format.
func TestPieceFormat(t *testing.T) {
	f := new(Formula)
	f.AddClause(1, 2, 3)
	f.AddClause(-1, 2, 3)
	rule := NewPaper(f)
	donor := rule.NewSearch(Options{Splitting: search.Splitting{Rule: search.Bottom, MinOpen: 1}, Root: true, All: true})
	if piece, ok := donor.Split(nil); ok {
		t.Fatalf("the root alone was split into %x", piece)
	}
	donor.Expand(1) // the root; at 1 now, ¬1 is open
	piece, ok := donor.Split([]byte{9})
	if want := []byte{9, pieceVersion, 1, 0b01}; !ok || !reflect.DeepEqual(piece, want) {
		t.Fatalf("piece %x, want %x", piece, want)
	}
	if _, ok := donor.Split(nil); ok {
		t.Fatal("an alternative was given twice")
	}
	donor.Expand(3) // 1, the solution 1·2, and 1·¬2; at 1·¬2·3 now, 1·¬2·¬3 is open
	piece, ok = donor.Split(nil)
	if want := []byte{pieceVersion, 3, 0b01_10_00}; !ok || !reflect.DeepEqual(piece, want) {
		t.Fatalf("piece %x, want %x", piece, want)
	}
}

// Whole shares of the same formula.
func TestPackFormat(t *testing.T) {
	f := new(Formula)
	f.AddClause(1, 2, 3)
	f.AddClause(-1, 2, 3)
	s := NewPaper(f).NewSearch(Options{Splitting: search.Splitting{Rule: search.Bottom, MinOpen: 1}, Root: true, All: true})
	for _, c := range []struct {
		expand int
		split  bool
		want   []byte
	}{
		{0, false, []byte{0}},            // the root
		{1, false, []byte{1, 0b10}},      // at 1, ¬1 is open
		{1, false, []byte{2, 0b10_01}},   // at 1·2, 1·¬2 and ¬1 are open
		{1, false, []byte{2, 0b01_01}},   // at 1·¬2, ¬1 is open
		{1, true, []byte{3, 0b10_10_00}}, // at 1·¬2·3, 1·¬2·¬3 is open and ¬1 was given away
		{0, true, []byte{3, 0b11_10_00}}, // that was given away too
		{1, false, nil},
	} {
		s.Expand(c.expand)
		if c.split {
			s.Split(nil)
		}
		if s.Empty() {
			if c.want != nil {
				t.Fatalf("empty, want %x", c.want)
			}
			continue
		}
		piece := s.Pack([]byte{9})
		if want := append([]byte{9, pieceVersion}, c.want...); !reflect.DeepEqual(piece, want) {
			t.Fatalf("piece %x, want %x", piece, want)
		}
		if !s.Empty() || !pristine(s) {
			t.Fatalf("after %x the share is not as it was", piece)
		}
		accept(t, s, piece[1:])
	}
}

func TestAcceptRefuses(t *testing.T) {
	rule := NewPaper(php(3)) // 12 variables; it branches on 1, then on 4
	for _, c := range []struct {
		name  string
		piece []byte
		want  error
	}{
		{"no bytes", nil, errVersion},
		{"another version", []byte{pieceOfAnchor + 1, 1, 1}, errVersion},
		{"no length", []byte{pieceVersion}, errLength},
		{"unended length", []byte{pieceVersion, 0x80}, errLength},
		{"overflowing length", []byte{pieceVersion, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, errLength},
		{"length 0 with a branch", []byte{pieceVersion, 0, 1}, errLength},
		{"more decisions than variables", []byte{pieceVersion, 13, 0, 0, 0, 1}, errLength},
		{"too short", []byte{pieceVersion, 5, 1}, errLength},
		{"trailing byte", []byte{pieceVersion, 1, 1, 0}, errLength},
		{"unused bits", []byte{pieceVersion, 1, 0b0101}, errBranch},
		{"undefined branch", []byte{pieceVersion, 2, 0b0111}, errBranch},
		{"nothing given", []byte{pieceVersion, 1, 0}, errNoGift},
		{"through a conflict", []byte{pieceVersion, 3, 0b010000}, errLeaf}, // pigeons 0 and 1 in hole 0
	} {
		s := rule.NewSearch(Options{All: true})
		if err := s.Accept(c.piece); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if !s.Empty() || !pristine(s) {
			t.Errorf("%s: the share is not as it was", c.name)
		}
	}
	if err := rule.NewSearch(Options{Root: true}).Accept([]byte{pieceVersion, 1, 1}); !errors.Is(err, errNotEmpty) {
		t.Errorf("a share with work accepted a piece: %v", err)
	}
	f := new(Formula)
	f.AddClause(1)
	f.AddClause()
	if err := NewPaper(f).NewSearch(Options{}).Accept([]byte{pieceVersion, 1, 1}); !errors.Is(err, errLeaf) {
		t.Errorf("a piece below a root that is a leaf: %v", err)
	}
}

// pristine reports whether no decision has left a trace in a share's state.
func pristine(s *Search) bool {
	for c, lits := range s.fast.rule.clauses {
		if s.fast.free[c] != int32(len(lits)) {
			return false
		}
	}
	for _, v := range s.fast.value {
		if v != unassigned {
			return false
		}
	}
	return s.depth == 0
}

// The parts of a tree that is split at random are disjoint and whole: leaves and
// solutions add up too, not only nodes.
func TestPartsAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		f := mixed(rng)
		rule := NewPaper(f)
		want := wholeTree(f)
		opt := Options{Splitting: search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1}, Root: true, All: true}
		shares := []*Search{rule.NewSearch(opt)}
		opt.Root = false
		for i := 0; i < len(shares); i++ {
			for s := shares[i]; !s.Empty(); s.Expand(1 + rng.IntN(5)) {
				if piece, ok := s.Split(nil); ok {
					shares = append(shares, accept(t, rule.NewSearch(opt), piece))
				}
			}
		}
		var got Counts
		for _, s := range shares {
			c := s.Counts()
			got.Expanded += c.Expanded
			got.Conflicts += c.Conflicts
			got.Solutions += c.Solutions
			got.MaxDepth = max(got.MaxDepth, c.MaxDepth)
		}
		if got != want {
			t.Fatalf("%d shares of %v: %+v, want %+v", len(shares), f, got, want)
		}
	}
}

func accept(t testing.TB, s *Search, piece []byte) *Search {
	t.Helper()
	if err := s.Accept(piece); err != nil {
		t.Fatal(err)
	}
	return s
}

// Splits and accepts of shares that have grown to their size allocate nothing.
func TestSplitDoesNotAllocate(t *testing.T) {
	rule := NewPaper(php(4))
	opt := Options{Splitting: search.Splitting{Rule: search.Half, MinOpen: 1}, All: true}
	donor, receiver := rule.NewSearch(opt), rule.NewSearch(opt)
	piece, splits := make([]byte, 0, 64), 0
	n := testing.AllocsPerRun(100, func() {
		accept(t, donor, []byte{pieceVersion, 1, byte(firstOpen)})
		for donor.Expand(20) > 0 {
			var ok bool
			if piece, ok = donor.Split(piece[:0]); ok {
				splits++
				run(accept(t, receiver, piece), 1000)
			}
		}
	})
	if n != 0 || splits < 200 {
		t.Errorf("%v allocations in %d splits and accepts", n, splits)
	}
}

// FuzzAccept feeds anything to a share: it must refuse or search it.
func FuzzAccept(f *testing.F) {
	rule := NewPaper(random3SAT(3, 12, 52))
	opt := Options{Splitting: search.Splitting{MinOpen: 1}, All: true}
	whole := rule.NewSearch(opt)
	whole.atRoot = true
	whole.Expand(8)
	for piece, ok := whole.Split(nil); ok; piece, ok = whole.Split(nil) {
		f.Add(piece)
	}
	f.Add(whole.Pack(nil))
	f.Add([]byte{pieceVersion, 0})
	f.Add([]byte{pieceVersion, 2, 0b1001})
	f.Add([]byte{pieceVersion, 2, 0b0111})
	f.Add([]byte{pieceVersion, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, piece []byte) {
		s := rule.NewSearch(opt)
		if err := s.Accept(piece); err != nil && !s.Empty() {
			t.Fatal("refused, but not empty")
		} else if err == nil && s.Empty() {
			t.Fatal("accepted, but empty")
		} else if err == nil && len(piece) > 0 {
			accept(t, s, s.Pack(nil))
		}
		for !s.Empty() {
			s.Expand(100)
		}
		if !pristine(s) {
			t.Fatal("the search left a trace")
		}
	})
}
