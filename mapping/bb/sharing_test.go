package bb

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"treesplit/mapping"
	"treesplit/search"
)

// If two receivers of a group are best on one processor, they pay for one message together: each
// is charged half of it, at the processor and in the average.
func TestReceiversShareAMessage(t *testing.T) {
	p := &mapping.Problem{
		Processors: 2,
		Objects: []mapping.Object{ // a sender, who both talk to; a friend, whom they cannot leave; the receivers
			{Home: 0, Fixed: true}, {Home: 1, Fixed: true}, {Comp: 1, Home: mapping.Nowhere}, {Comp: 1, Home: mapping.Nowhere},
		},
		Arcs: []mapping.Arc{
			{From: 0, To: 2, Receive: 10, Proxy: 0}, {From: 0, To: 3, Receive: 10, Proxy: 0},
			{From: 1, To: 2, Send: 100, Proxy: mapping.NoProxy}, {From: 1, To: 3, Send: 100, Proxy: mapping.NoProxy},
		},
	}
	in, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newState(in)
	if best := optimum(p, nil); best != 12 || s.lowerBound() != best || s.sum+s.future.sum != best {
		t.Errorf("the bound is %d and the sum at least %d, the optimum %d; want 12", s.lowerBound(), s.sum+s.future.sum, best)
	}
}

// A part of the tree is the same for a share that knows a better map as for one that does not,
// because ranks reach their parts at different times.
func TestBisectIgnoresWhatWasHeard(t *testing.T) {
	p := graph(rand.New(rand.NewPCG(50, 1)), 12, 4, 2, 15)
	best, differ := solve(t, p, Options{}).Makespan, 0
	in, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const k = 5
	for part := range uint64(1 << k) {
		usual, told := in.NewSearch(search.DefaultSplitting, false), in.NewSearch(search.DefaultSplitting, false)
		told.Tighten(best)
		own, others := usual.Bisect(k, part)
		if a, b := told.Bisect(k, part); a != own || b != others || told.Empty() != usual.Empty() {
			t.Fatalf("part %d: %d and %d nodes, want %d and %d", part, a, b, own, others)
		}
		if usual.Empty() {
			continue
		}
		if a, b := usual.Pack(nil), told.Pack(nil); !bytes.Equal(a, b) {
			t.Fatalf("part %d: %v, want %v", part, b, a)
		}
		differ++
	}
	if differ < 8 {
		t.Errorf("%d parts are not empty: the test shows little", differ)
	}
}

// Pieces that are not in the tree are refused: a child named twice, a child on the path, a
// processor that does not exist or is equivalent to a lower one, too many objects, bytes after
// the end.
func TestAcceptRefuses(t *testing.T) {
	in, err := New(graph(rand.New(rand.NewPCG(51, 1)), 3, 3, 1, 5), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		piece []byte
		want  error
	}{
		{[]byte{1, 0, 1, 0}, nil},
		{[]byte{1, 1, 0, 0, 2, 0, 1}, nil},
		{nil, errVersion},
		{[]byte{2}, errVersion},
		{[]byte{1, 0, 1, 1}, errTree},             // an empty processor like 0
		{[]byte{1, 0, 1, 3}, errTree},             // no processor
		{[]byte{1, 1, 0, 0, 2, 1, 1}, errTree},    // twice
		{[]byte{1, 1, 0, 1, 0, 1, 0}, errTree},    // on the path
		{[]byte{1, 1, 2, 0, 1, 0}, errTree},       // a path by way of another's
		{[]byte{1, 1, 0, 0, 4, 0, 1, 2}, errTree}, // more than there are
		{[]byte{1, 3, 0, 1, 2, 0, 0, 0, 1, 0}, errDepth},
		{[]byte{1, 0, 1, 0, 0}, errLong},
		{[]byte{1, 1, 0, 1}, errShort},
		{[]byte{1, 1, 0, 0, 0}, errNothing},
	} {
		s := in.NewSearch(search.DefaultSplitting, false)
		if err := s.Accept(c.piece); err != c.want || s.Empty() != (err != nil) {
			t.Errorf("%v: %v, want %v", c.piece, err, c.want)
		}
	}
}
