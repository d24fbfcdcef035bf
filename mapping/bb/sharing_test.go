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
// because ranks reach their parts at different times. The share that knows it only prunes more.
func TestBisectIgnoresWhatWasHeard(t *testing.T) {
	p := graph(rand.New(rand.NewPCG(50, 1)), 12, 4, 2, 15)
	best, same := solve(t, p, Options{}).Makespan, 0
	in, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const k = 9
	for part := range uint64(1 << k) {
		usual, told := in.NewSearch(search.DefaultSplitting, false), in.NewSearch(search.DefaultSplitting, false)
		told.Tighten(best + 1)
		own, others := usual.Bisect(k, part)
		a, b := told.Bisect(k, part)
		if told.Empty() {
			if usual.Expand(1 << 30); usual.Bound() == best {
				t.Errorf("part %d has a map of makespan %d, but it is empty if %d is known", part, best, best+1)
			}
			continue
		}
		if a != own || b != others {
			t.Errorf("part %d: %d and %d nodes, want %d and %d", part, a, b, own, others)
		}
		usual.Tighten(best + 1)
		usual.Expand(0) // drops pruned children
		if a, b := usual.Pack(nil), told.Pack(nil); !bytes.Equal(a, b) {
			t.Errorf("part %d: %v, want %v", part, b, a)
		}
		same++
	}
	if same < 8 {
		t.Errorf("%d parts are not empty: the test shows little", same)
	}
}

// The division into parts does not depend on the map that is known first: a search that is
// interrupted resumes with the best map so far, and searches only the parts that remain. All parts
// together find the optimum, whichever shares know the better map from their beginning.
func TestPartsIgnoreTheFirstBound(t *testing.T) {
	resumed := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(52, seed))
		p, k := tiny(rng, 7), 1+rng.IntN(5)
		parts := rng.Perm(1 << k)
		before := rng.IntN(len(parts)) // number of parts that the interrupted search has finished
		_, found := searchParts(t, p, Options{Numbered: seed%4 == 0}, k, parts[:before])
		if found != None {
			resumed++
		}
		_, again := searchParts(t, p, Options{Numbered: seed%4 == 0, Upper: found}, k, parts[before:])
		if best := optimum(p, nil); min(found, again) != best {
			t.Errorf("seed %d: the best makespans are %d and %d, want %d: %+v", seed, found, again, best, p)
		}
	}
	if resumed < 200 {
		t.Errorf("only %d searches resume with a map: the test shows little", resumed)
	}
}

// searchParts searches some of 2^k parts. It returns the counts and the best makespan, or None.
func searchParts(t *testing.T, p *mapping.Problem, o Options, k int, parts []int) (Counts, int64) {
	t.Helper()
	in, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	s := in.NewSearch(search.DefaultSplitting, false)
	for _, part := range parts {
		s.Bisect(k, uint64(part))
		s.Expand(1 << 30)
	}
	return s.Counts(), s.Bound()
}

// The parts of a search with a fixed bound have the nodes, the pruned children and the maps of the
// whole tree, each once.
func TestPartsCountTheTree(t *testing.T) {
	for seed := range uint64(20) {
		p := graph(rand.New(rand.NewPCG(53, seed)), 9, 3, 2, 15)
		best := solve(t, p, Options{}).Makespan
		o := Options{Upper: best + best/10, Count: true, Numbered: seed%4 == 0}
		want := solve(t, p, o).Counts
		for k := range 8 {
			parts := rand.New(rand.NewPCG(54, seed)).Perm(1 << k)
			if got, _ := searchParts(t, p, o, k, parts); got != want {
				t.Errorf("seed %d, 2^%d parts: %+v, want %+v", seed, k, got, want)
			}
		}
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
