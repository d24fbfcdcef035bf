package search_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
)

// seen is a Toy that records the expanded nodes, by hash and depth, in a book that all shares
// of a search have in common. Nodes on the way to a part are only counted.
type seen struct {
	*explore.Toy
	book *book
}

type book struct {
	nodes map[string]int
	way   int
}

// Expand expands one node after the other. The next one is always the last node of a Toy's
// piece.
func (s seen) Expand(limit int) (expanded int) {
	for ; expanded < limit && !s.Empty(); expanded++ {
		p := s.Pack(nil)
		top := p[len(p)-17:]
		s.book.nodes[string(top[:8])+string(top[16:])]++
		if err := s.Accept(p); err != nil {
			panic(err)
		}
		s.Toy.Expand(1)
	}
	return expanded
}

func (s seen) Bisect(k int, part uint64) (expanded, redundant int) {
	expanded, redundant = s.Toy.Bisect(k, part)
	s.book.way += expanded
	return expanded, redundant
}

func (s seen) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	piece, expanded, ok = s.Toy.Subtask(dst, depth, limit)
	s.book.way += expanded
	return piece, expanded, ok
}

// resumption holds the shares of a search that is interrupted again and again.
type resumption struct {
	*rapid.T
	shape          explore.Shape
	damaged, parts bool
	book           book
	shares         []*search.Resumed
}

// within returns an empty share for a Resumed.
func (f *resumption) within() search.Work {
	fresh := func() search.Work {
		s := seen{explore.NewToy(f.shape, false), &f.book}
		if f.parts {
			return lb.AcceptParts(s)
		}
		return s
	}
	if f.damaged {
		return search.NewDamaged(fresh(), 0.2, fresh)
	}
	return fresh()
}

// tasksOf returns a share as a search.Subtasker.
func tasksOf(w search.Work) search.Subtasker {
	tasks, _ := search.As[search.Subtasker](w)
	return tasks
}

// goOn makes shares that resume from pieces.
func (f *resumption) goOn(pieces [][]byte) {
	sizes, err := search.CheckPieces(f.within(), pieces)
	if err != nil {
		f.Fatal(err)
	}
	f.shares = f.shares[:0]
	for i := range 4 {
		f.shares = append(f.shares, search.NewResumed(f.within(), pieces, sizes, i == 0))
	}
}

// rangeOf returns a piece of a static start: count of the 2^k parts of the tree in an order.
func rangeOf(k int, seed, from, count uint64) []byte {
	p := binary.BigEndian.AppendUint64([]byte{0xDE, byte(k)}, seed)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(p, from), count)
}

// begin makes the first pieces: the root, or two ranges of parts.
func (f *resumption) begin() [][]byte {
	if !f.parts || f.IntRange(0, 1, "whole") == 0 {
		return [][]byte{explore.NewToy(f.shape, true).Pack(nil)}
	}
	k := f.IntRange(1, 6, "k")
	cut := uint64(f.IntRange(1, 1<<k-1, "cut"))
	return [][]byte{rangeOf(k, 5, 0, cut), rangeOf(k, 5, cut, 1<<k-cut)}
}

func (f *resumption) IntRange(least, most int, name string) int {
	return rapid.IntRange(least, most).Draw(f.T, name)
}

// step performs one operation on one of the shares, and gives the resulting piece to an empty
// one.
func (f *resumption) step() {
	from, to := f.shares[f.IntRange(0, 3, "from")], f.shares[f.IntRange(0, 3, "to")]
	free := from != to && to.Empty() && !from.Empty()
	var piece []byte
	ok := true
	switch what := f.IntRange(0, 5, "what"); {
	case what == 0:
		from.Expand(f.IntRange(1, 9, "nodes"))
		return
	case what == 1 && !f.damaged: // Damaged is no Subtasker
		depth := f.IntRange(1, 5, "depth")
		if !free {
			return
		}
		piece, _, ok = tasksOf(from).Subtask(nil, depth, 5)
	case what == 2 && free:
		piece = from.Pack(nil)
	case what == 3 && free:
		var pieces [][]byte
		from.TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
		piece = search.AppendPieces(nil, pieces)
	case what == 4 && f.IntRange(0, 3, "interrupted") == 0:
		f.goOn(f.takeRemaining())
		return
	case free:
		piece, ok = from.Split(nil)
	default:
		return
	}
	if !ok {
		return
	}
	if err := to.Accept(piece); err != nil {
		f.Fatalf("a share refuses a piece of another share: %v", err)
	}
}

// takeRemaining takes out all remaining pieces.
func (f *resumption) takeRemaining() (pieces [][]byte) {
	for _, s := range f.shares {
		search.TakeRemaining(s, func(p []byte) { pieces = append(pieces, p) })
		if !s.Empty() {
			f.Fatal("a share is not empty after TakeRemaining")
		}
	}
	return pieces
}

// Every node is expanded once, for any operations on the shares of a resumed search over a
// tree, damaged shares and parts of static starts, and for any number of interruptions.
func TestForestsExpandEachNodeOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &resumption{T: t, damaged: rapid.Bool().Draw(t, "damaged"), parts: rapid.Bool().Draw(t, "parts"), book: book{nodes: map[string]int{}}}
		f.shape = explore.Shape{Seed: rapid.Uint64Range(0, 300).Draw(t, "tree"), Depth: 6, Width: 4}
		f.goOn(f.begin())
		for range f.IntRange(0, 80, "steps") {
			f.step()
		}
		f.goOn(f.takeRemaining())
		for !f.shares[0].Empty() {
			f.shares[0].Expand(100)
		}
		for n, times := range f.book.nodes {
			if times != 1 {
				t.Fatalf("node %x is expanded %d times", n, times)
			}
		}
		if got := len(f.book.nodes) + f.book.way; got != f.shape.CountNodes() {
			t.Fatalf("%d nodes are expanded, %d of them on the way to parts, want %d", got, f.book.way, f.shape.CountNodes())
		}
	})
}

// numbered returns pieces of a single node each.
func numbered(t *rapid.T, n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = append(binary.BigEndian.AppendUint64([]byte{2}, uint64(i)), make([]byte, 9)...)
	}
	if _, err := search.CheckPieces(explore.NewToy(explore.Shape{}, false), all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The parts of Bisect are disjoint runs of the pieces and together all of them, for any
// numbers of pieces and parts.
func TestForestsBisect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := numbered(t, rapid.IntRange(0, 40).Draw(t, "pieces"))
		sizes := make([]search.Size, len(pieces))
		k := rapid.IntRange(0, 7).Draw(t, "k")
		f := search.NewResumed(explore.NewToy(explore.Shape{}, false), pieces, sizes, false)
		next := 0
		for part := range uint64(1) << k {
			if expanded, redundant := f.Bisect(k, part); expanded+redundant != 0 {
				t.Fatalf("part %d of 2^%d: %d nodes are expanded, %d for others", part, k, expanded, redundant)
			}
			search.TakeRemaining(f, func(p []byte) {
				if next == len(pieces) || !bytes.Equal(p, pieces[next]) {
					t.Fatalf("part %d of 2^%d holds %x: expected piece %d of %d", part, k, p, next, len(pieces))
				}
				next++
			})
		}
		if next != len(pieces) {
			t.Fatalf("the parts hold %d pieces of %d", next, len(pieces))
		}
	})
}

// A share refuses invalid lists and lists of invalid pieces, and is empty afterwards.
func TestForestsRefuse(t *testing.T) {
	shape := explore.Shape{Seed: 1, Depth: 5, Width: 3}
	good := explore.NewToy(shape, true).Pack(nil)
	for name, piece := range map[string][]byte{
		"nothing":                                 {},
		"a mark alone":                            {0xF0},
		"no piece":                                {0xF0, 0},
		"more pieces than bytes":                  {0xF0, 0xFF, 0xFF, 0xFF, 0x7F},
		"a number that does not end":              {0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
		"a piece that is cut short":               search.AppendPieces(nil, [][]byte{good})[:12],
		"bytes after the last":                    append(search.AppendPieces(nil, [][]byte{good}), 0),
		"a piece of the wrong length":             search.AppendPieces(nil, [][]byte{good, good[:len(good)-1]}),
		"an empty piece":                          search.AppendPieces(nil, [][]byte{good, {}}),
		"a list in a list":                        search.AppendPieces(nil, [][]byte{good, search.AppendPieces(nil, [][]byte{good})}),
		"another version":                         append([]byte{99}, good[1:]...),
		"a range that the inner Work cannot read": rangeOf(3, 1, 0, 8),
	} {
		f := search.NewResumed(explore.NewToy(shape, false), nil, nil, false)
		if err := f.Accept(piece); err == nil {
			t.Errorf("%s: the share accepts the piece", name)
		}
		if !f.Empty() {
			t.Errorf("%s: the share is not empty", name)
		}
		if err := f.Accept(good); err != nil {
			t.Errorf("%s: the share refuses a valid piece afterwards: %v", name, err)
		}
	}
}

// FuzzResumed: no bytes given to a share of a resumed search make it panic, or allocate more
// memory than is proportional to their length. A share that refuses a piece stays empty. The
// parts of an accepted piece are accepted again.
func FuzzResumed(f *testing.F) {
	shape := explore.Shape{Seed: 1, Depth: 5, Width: 3}
	root := explore.NewToy(shape, true).Pack(nil)
	f.Add(root)
	f.Add(search.AppendPieces(nil, [][]byte{root, rangeOf(5, 7, 3, 20)}))
	f.Add(append(rangeOf(63, 1, 1<<62, 1<<40), root...))
	f.Add([]byte{0xF0, 2, 0, 0})
	f.Fuzz(func(t *testing.T, piece []byte) {
		fresh := func() search.Work { return lb.AcceptParts(explore.NewToy(shape, false)) }
		for _, within := range []search.Work{explore.NewToy(shape, false), fresh(), search.NewDamaged(fresh(), 0.1, fresh)} {
			w := search.NewResumed(within, nil, nil, false)
			if err := w.Accept(piece); err != nil {
				if !w.Empty() {
					t.Fatalf("the share is not empty after the error %v", err)
				}
				continue
			}
			if w.Empty() {
				t.Fatal("the share is empty after it has accepted a piece")
			}
			list := w.Pack(nil)
			if err := w.Accept(list); err != nil || !w.Empty() && len(w.Pack(nil)) != len(list) {
				t.Fatalf("%x is packed as %x: %v", piece, list, err)
			}
		}
	})
}
