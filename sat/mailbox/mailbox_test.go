package mailbox_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"treesplit/sat/mailbox"
)

// variables is the number of variables of the tests.
const variables = 50

// narrow is the filter of the tests.
var narrow = mailbox.Filter{Literals: 8, LBD: 2}

// drawClause draws a clause of one to most literals.
func drawClause(rng *rand.Rand, most int) (clause []int32) {
	for _, v := range rng.Perm(variables)[:1+rng.IntN(most)] {
		clause = append(clause, int32(v+1)*int32(1-2*rng.IntN(2)))
	}
	return clause
}

// takeAll returns the clauses that a box takes in.
func takeAll(b *mailbox.Box) (all [][]int32) {
	b.TakeIn(math.MaxInt, func(clause []int32) { all = append(all, slices.Clone(clause)) })
	return all
}

// What a box has kept arrives in another box, in order and once, in messages of any size.
func TestClausesArrive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		from, to := mailbox.New(narrow), mailbox.New(narrow)
		var want, got [][]int32
		for range 1 + rng.IntN(200) {
			if clause := drawClause(rng, narrow.Literals); from.Offer(clause, 2) {
				want = append(want, clause)
			}
			if rng.IntN(5) > 0 {
				continue
			}
			limit := 60 + rng.IntN(100)
			facts := from.Export(nil, limit)
			if len(facts) > limit {
				t.Fatalf("a message of %d bytes: expected at most %d", len(facts), limit)
			}
			if err := to.Import(facts, variables); len(facts) > 0 && err != nil {
				t.Fatal(err)
			}
			got = append(got, takeAll(to)...)
		}
		for facts := from.Export(nil, 100); len(facts) > 0; facts = from.Export(nil, 100) {
			if err := to.Import(facts, variables); err != nil {
				t.Fatal(err)
			}
			got = append(got, takeAll(to)...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d clauses arrived: %v; want %d: %v", len(got), got, len(want), want)
		}
		if to.Taken() != int64(len(got)) || to.HasIncoming() {
			t.Errorf("%d taken, incoming %v; want %d and none", to.Taken(), to.HasIncoming(), len(got))
		}
	}
}

// Only short clauses of low LBD are kept, each once in any order of its literals, and in bounded memory.
func TestOffer(t *testing.T) {
	b := mailbox.New(narrow)
	for _, c := range []struct {
		clause []int32
		lbd    int
		want   bool
	}{
		{nil, 0, false}, {[]int32{1}, 0, true}, {[]int32{1}, 0, false}, {[]int32{-1}, 0, true},
		{[]int32{1, 2}, 9, true}, {[]int32{2, 1}, 2, false},
		{[]int32{1, 2, 3}, 0, false}, {[]int32{1, 2, 3}, 3, false}, {[]int32{1, 2, 3}, 2, true},
		{[]int32{1, 2, 3, 4, 5, 6, 7, 8}, 2, true}, {[]int32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, false},
	} {
		if got := b.Offer(c.clause, c.lbd); got != c.want {
			t.Errorf("Offer(%v, %d) = %v, want %v", c.clause, c.lbd, got, c.want)
		}
	}
	kept := 0
	for v := int32(100); v < 100_000; v++ {
		if b.Offer([]int32{v, v + 1}, 2) {
			kept++
		}
	}
	if kept < 100 || kept > 2000 {
		t.Errorf("%d clauses are kept: expected some hundreds", kept)
	}
}

// A clause that came in is not sent back.
func TestNoEcho(t *testing.T) {
	from, to := mailbox.New(narrow), mailbox.New(narrow)
	from.Offer([]int32{3, -4}, 2)
	if err := to.Import(from.Export(nil, 100), variables); err != nil {
		t.Fatal(err)
	}
	takeAll(to)
	if to.Offer([]int32{-4, 3}, 2) {
		t.Error("a clause that came in is kept for export")
	}
}

// What is received has a higher clock than what was exported.
func TestClock(t *testing.T) {
	boxes := []*mailbox.Box{mailbox.New(narrow), mailbox.New(narrow), mailbox.New(narrow)}
	for turn := range 10 {
		from, to := boxes[turn%3], boxes[(turn+1)%3]
		before := from.Clock()
		from.Offer([]int32{int32(turn + 1)}, 1)
		if err := to.Import(from.Export(nil, 100), variables); err != nil {
			t.Fatal(err)
		}
		if to.Clock() <= before {
			t.Fatalf("clock %d after facts of clock %d", to.Clock(), before)
		}
	}
}

// Malformed facts are refused, and change nothing.
func TestMalformedFacts(t *testing.T) {
	for _, c := range []struct {
		facts []byte
		want  string
	}{
		{nil, "end early"},
		{[]byte{0x80}, "end early"},
		{[]byte{0, 2, 2}, "end early"},
		{[]byte{0, 1, 2, 1}, "end early"},
		{[]byte{0, 0}, "0 literals"},
		{[]byte{0, 31}, "31 literals"},
		{[]byte{0, 1, 0}, "literal 0 is out of range"},
		{[]byte{0, 1, 2, 1, 102}, "literal 51 is out of range"},
		{[]byte{0, 1, 101}, "literal -51 is out of range"},
		{[]byte{0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, "out of range"},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 2}, "out of range"},
	} {
		b := mailbox.New(narrow)
		if err := b.Import(c.facts, variables); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error with %q", c.facts, err, c.want)
		}
		if b.HasIncoming() || b.Clock() > 0 {
			t.Errorf("%v: the facts changed the box", c.facts)
		}
	}
}

// A box takes in the shortest clauses, in the order of their arrival.
func TestShortestClauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		from, to := mailbox.New(narrow), mailbox.New(narrow)
		var sent [][]int32
		for range rng.IntN(40) {
			if clause := drawClause(rng, narrow.Literals); from.Offer(clause, 2) {
				sent = append(sent, clause)
			}
		}
		for facts := from.Export(nil, 1000); len(facts) > 0; facts = from.Export(nil, 1000) {
			if err := to.Import(facts, variables); err != nil {
				t.Fatal(err)
			}
		}
		most := rng.IntN(50)
		var got, want [][]int32
		to.TakeIn(most, func(clause []int32) { got = append(got, slices.Clone(clause)) })
		byLength := slices.Clone(sent)
		slices.SortStableFunc(byLength, func(a, b []int32) int { return len(a) - len(b) })
		kept := map[string]bool{}
		for _, clause := range byLength[:min(most, len(sent))] {
			kept[fmt.Sprint(clause)] = true
		}
		for _, clause := range sent {
			if kept[fmt.Sprint(clause)] {
				want = append(want, clause)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("at most %d of %v: %v, want %v", most, sent, got, want)
		}
		if to.HasIncoming() {
			t.Fatal("the other clauses still wait")
		}
	}
}

// The memory for clauses that wait is bounded.
func TestIncomingIsBounded(t *testing.T) {
	to := mailbox.New(narrow)
	rng, sent := rand.New(rand.NewPCG(2, 2)), 0
	for range 100 {
		from := mailbox.New(narrow)
		for range 100 {
			from.Offer(drawClause(rng, narrow.Literals), 1)
		}
		for facts := from.Export(nil, 1000); len(facts) > 0; facts = from.Export(nil, 1000) {
			if err := to.Import(facts, variables); err != nil {
				t.Fatal(err)
			}
			sent += len(facts)
		}
	}
	literals := 0
	for _, clause := range takeAll(to) {
		literals += len(clause)
	}
	if literals > 1<<14 || literals < 1<<12 || sent < 30_000 {
		t.Errorf("%d literals wait after %d bytes: expected at most 16384 of more", literals, sent)
	}
}

// FuzzImport feeds anything to a box: it refuses it, or keeps clauses whose literals are in range.
func FuzzImport(f *testing.F) {
	from := mailbox.New(narrow)
	from.Offer([]int32{1, -2}, 2)
	from.Offer([]int32{50}, 1)
	f.Add(from.Export(nil, 100))
	f.Add([]byte{0, 1, 0})
	f.Add([]byte{0, 9, 2, 4, 6, 8, 10, 12, 14, 16, 18})
	f.Fuzz(func(t *testing.T, facts []byte) {
		b := mailbox.New(narrow)
		err := b.Import(facts, variables)
		if err != nil && b.HasIncoming() {
			t.Fatal("refused facts have changed the box")
		}
		for _, clause := range takeAll(b) {
			if n := len(clause); n < 1 || n > mailbox.MostLiterals {
				t.Fatalf("a clause of %d literals", n)
			}
			for _, l := range clause {
				if l == 0 || max(l, -l) > variables {
					t.Fatalf("literal %d", l)
				}
			}
		}
	})
}
