package puzzle

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"treesplit/search"
)

// small is an iteration of a fixed board: 3 moves from the goal, with bound 7.
func small(t testing.TB) (*Problem, int) {
	t.Helper()
	b, err := SolvedBoard(Size{4, 4}, BlankFirst).ReplayPath([]Move{Right, Down, Right})
	if err != nil {
		t.Fatal(err)
	}
	p := problem(t, b, Manhattan{})
	return p, p.RootEstimate() + 4
}

// Accept refuses what is not in the tree and says why.
func TestAcceptRefuses(t *testing.T) {
	p, bound := small(t)
	piece := func(depth uint64, rest ...byte) []byte {
		head := binary.AppendUvarint([]byte{pieceVersion}, uint64(bound))
		return append(binary.AppendUvarint(head, depth), rest...)
	}
	// The root's children in the tree are U, L, R and D, with slacks 1, 2, 1 and 1.
	const u, l, r, d = byte(Up), byte(Left), byte(Right), byte(Down)
	for _, c := range []struct {
		name  string
		piece []byte
		want  error
	}{
		{"the whole tree", []byte{pieceVersion, byte(bound)}, nil},
		{"all of the root", piece(0, 15), nil},
		{"one of the root", piece(0, 1<<d), nil},
		{"one of a child and one of the root", piece(1, l, 1<<r|1<<u<<4), nil},
		{"nothing", nil, errVersion},
		{"no bound", []byte{pieceVersion}, errShort},
		{"an endless bound", []byte{pieceVersion, 0x80}, errShort},
		{"a number longer than need be", []byte{pieceVersion, byte(bound), 0x80, 0, 1 << d}, errShort},
		{"another version", []byte{pieceVersion + 1, byte(bound)}, errVersion},
		{"an endless number of moves", append([]byte{pieceVersion, byte(bound)}, bytes.Repeat([]byte{0xff}, 11)...), errShort},
		{"a number of moves beyond the bound", piece(uint64(bound)+1, 0, 0, 0, 0, 0, 0, 1, 0, 0), errTree},
		{"a huge number of moves", piece(1<<62, 0, 0), errTree},
		{"no moves given", piece(0), errLength},
		{"trailing byte", piece(0, 15, 0), errLength},
		{"path too short", piece(5, 0, 0, 0, 1), errLength},
		{"padding of the path", piece(1, l|1<<2, 1<<u<<4), errPadding},
		{"padding of what is given", piece(0, 1<<d|1<<4), errPadding},
		{"nothing given at the end", piece(1, l, 1<<r), errNothing},
		{"the move back", piece(1, l, 1<<r<<4), errTree},
		{"the path's own move", piece(1, l, 1<<l|1<<u<<4), errTree},
		{"off the board", piece(2, u|u<<2, 0, 1<<u), errTree},
		{"a pruned move", piece(3, r|d<<2|r<<4, 0, 1<<r<<4), errTree},
		{"a move that solves the board", piece(2, l|u<<2, 0, 1<<l), errTree},
	} {
		s := share(t, p, bound, Options{Splitting: search.DefaultSplitting})
		if err := s.Accept(c.piece); err != c.want || s.Empty() != (err != nil) {
			t.Errorf("%s: %v, empty %v; want %v", c.name, err, s.Empty(), c.want)
		}
	}
	other := []byte{pieceVersion, byte(bound) - 2}
	if share(t, p, bound, Options{}).Accept(other) == nil {
		t.Error("a piece of another iteration was accepted")
	}
	busy := share(t, p, bound, Options{Root: true})
	if err := busy.Accept(piece(0, 15)); err != errNotEmpty {
		t.Errorf("a share with work: %v", err)
	}
	solved := share(t, problem(t, SolvedBoard(Size{4, 4}, BlankFirst), Manhattan{}), bound-1, Options{})
	if err := solved.Accept([]byte{pieceVersion, byte(bound) - 1, 0, 1 << r}); err != errTree {
		t.Errorf("the tree of a solved board has no moves: %v", err)
	}
}

// Pieces do not grow beyond what the format promises.
func TestPieceSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	longest := 0
	for _, c := range trees(t, 10_000, 1_000_000) {
		s := share(t, c.problem, c.bound, Options{Splitting: search.DefaultSplitting, Root: true, All: true})
		for !s.Empty() {
			s.Expand(1 + rng.IntN(500))
			piece, ok := s.Split(nil)
			if !ok {
				continue
			}
			depth, _ := binary.Uvarint(piece[2:])
			if most := 4 + (int(depth)+3)/4 + (int(depth)+2)/2; len(piece) > most {
				t.Fatalf("%d bytes for %d moves", len(piece), depth)
			}
			longest = max(longest, int(depth))
		}
	}
	if longest < 15 {
		t.Errorf("no piece has more than %d moves: the test shows nothing", longest)
	}
}

// FuzzAccept: any bytes are refused or give a stack that is in the tree, and what was
// accepted can be searched, split and accepted again.
func FuzzAccept(f *testing.F) {
	all := trees(f, 1000, 100_000)
	for i, c := range all {
		donor := share(f, c.problem, c.bound, Options{Splitting: search.DefaultSplitting, Root: true, All: true})
		f.Add(uint8(i), share(f, c.problem, c.bound, Options{Root: true}).Pack(nil))
		donor.Expand(300)
		if piece, ok := donor.Split(nil); ok {
			f.Add(uint8(i), piece)
		}
		f.Add(uint8(i), donor.Pack(nil))
	}
	f.Fuzz(func(t *testing.T, which uint8, piece []byte) {
		c := all[int(which)%len(all)]
		s := share(t, c.problem, c.bound, Options{Splitting: search.Splitting{MinOpen: 1}, All: true, Bulk: int(which) / 64})
		if s.Accept(piece) != nil {
			if !s.Empty() || s.Expand(1) != 0 {
				t.Fatal("a refused piece left work")
			}
			return
		}
		again := s.Pack(nil)
		if !bytes.Equal(again, piece) {
			t.Fatalf("%x was accepted and packed as %x", piece, again)
		}
		if err := s.Accept(again); err != nil {
			t.Fatal(err)
		}
		s.Expand(100)
		if part, ok := s.Split(nil); ok {
			if err := share(t, c.problem, c.bound, Options{}).Accept(part); err != nil {
				t.Fatalf("a piece of an accepted piece: %v", err)
			}
		}
		for !s.Empty() {
			s.Expand(10_000)
		}
		if s.Counts().Expanded > c.counts.Expanded {
			t.Fatalf("%d nodes in a piece of a tree of %d", s.Counts().Expanded, c.counts.Expanded)
		}
	})
}
