package worker

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"treesplit/search"
)

// reference returns the numbers of the tree of fake workers.
func reference() (nodes, leaves, depth, least int64) {
	least = math.MaxInt64
	fakeTree(nil, &nodes, &leaves, &depth, &least)
	return nodes, leaves, depth, least
}

// totals adds up the counts of shares.
func totals(t *testing.T, shares ...search.Work) (leaves, depth int64) {
	t.Helper()
	for _, w := range shares {
		s, _ := search.As[*Share](w)
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		c := s.Counts()
		leaves += c.Sums["leaves"]
		depth = max(depth, c.Maxima["depth"])
	}
	return leaves, depth
}

// However shares are expanded, split and packed, every node is expanded once.
func TestSchedules(t *testing.T) {
	nodes, leaves, depth, _ := reference()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := newFake(false, seed%2 == 0, seed%3 == 0)
		shares := []search.Work{w.share(true), w.share(false), w.share(false)}
		expanded := int64(0)
		for busy := true; busy; {
			busy = false
			for i, s := range shares {
				expanded += int64(s.Expand(1 + rng.IntN(30)))
				busy = busy || !s.Empty()
				other := shares[(i+1)%len(shares)]
				if s.Empty() || !other.Empty() {
					continue
				}
				if piece, ok := movePiece(s, rng); ok {
					if err := other.Accept(piece); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		gotLeaves, gotDepth := totals(t, shares...)
		if expanded != nodes || gotLeaves != leaves || gotDepth != depth {
			t.Fatalf("seed %d: %d nodes, %d leaves, depth %d; want %d, %d, %d", seed, expanded, gotLeaves, gotDepth, nodes, leaves, depth)
		}
	}
}

// movePiece takes a piece out of a share, by one of the methods that it has.
func movePiece(s search.Work, rng *rand.Rand) (piece []byte, ok bool) {
	switch packer, _ := search.As[search.Packer](s); rng.IntN(3) {
	case 0:
		return packer.Pack(nil), true
	case 1:
		if tasks, has := search.As[search.Subtasker](s); has {
			piece, _, ok = tasks.Subtask(nil, 1+rng.IntN(5), 0)
			return piece, ok
		}
	}
	return s.Split(nil)
}

// Subtask expands the nodes above a depth one by one and cuts off the others.
func TestSubtasks(t *testing.T) {
	nodes, _, _, _ := reference()
	w := newFake(false, true, false)
	tasks, _ := search.As[search.Subtasker](w.share(true))
	expanded := int64(0)
	for !tasks.Empty() {
		piece, n, ok := tasks.Subtask(nil, 3, 5)
		expanded += int64(n)
		if !ok {
			continue
		}
		part := w.share(false)
		if err := part.Accept(piece); err != nil {
			t.Fatal(err)
		}
		expanded += int64(part.Expand(1 << 20))
	}
	if expanded != nodes {
		t.Errorf("%d nodes, want %d", expanded, nodes)
	}
}

// The parts of every bisection are the whole tree, and each part has the weight 2^−k or is empty.
func TestParts(t *testing.T) {
	nodes, leaves, _, _ := reference()
	for k := range 7 {
		w := newFake(false, true, true)
		expanded, shares := int64(0), []search.Work{}
		for part := range uint64(1) << k {
			s := w.share(false)
			parts, _ := search.As[search.Bisecter](s)
			n, _ := parts.Bisect(k, part)
			if weight := search.WeightOf(s); weight != 0 && math.Abs(weight-math.Ldexp(1, -k)) > 1e-12 {
				t.Errorf("part %d of 2^%d has weight %v", part, k, weight)
			}
			expanded += int64(n + s.Expand(1<<20))
			shares = append(shares, s)
		}
		if got, _ := totals(t, shares...); expanded != nodes || got != leaves {
			t.Errorf("2^%d parts: %d nodes, %d leaves; want %d, %d", k, expanded, got, nodes, leaves)
		}
	}
}

// The weight begins at 1, never rises, moves with pieces, and ends at 0.
func TestWeights(t *testing.T) {
	for limit := 1; limit < 40; limit += 3 {
		w := newFake(false, false, true)
		a, b := w.share(true), w.share(false)
		for weight := 1.0; !a.Empty() || !b.Empty(); {
			now := search.WeightOf(a) + search.WeightOf(b)
			if now > weight+1e-12 || now <= 0 {
				t.Fatalf("limit %d: the weight is %v after %v", limit, now, weight)
			}
			weight = now
			if piece, ok := a.Split(nil); ok && b.Empty() {
				if err := b.Accept(piece); err != nil {
					t.Fatal(err)
				}
			} else if ok {
				c := w.share(false)
				if err := c.Accept(piece); err != nil {
					t.Fatal(err)
				}
				weight -= search.WeightOf(c)
			}
			a.Expand(limit)
			b.Expand(limit)
		}
	}
}

// Two shares that tell each other values find the least value, and its solution.
func TestOptimum(t *testing.T) {
	_, _, _, least := reference()
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := newFake(true, false, false)
		a, b := w.share(true), w.share(false)
		for !a.Empty() || !b.Empty() {
			if piece, ok := a.Split(nil); ok && b.Empty() {
				if err := b.Accept(piece); err != nil {
					t.Fatal(err)
				}
			} else if ok {
				c := w.share(false)
				if err := c.Accept(piece); err != nil {
					t.Fatal(err)
				}
				search.TightenTo(c, search.BoundOf(a))
				c.Expand(1 << 20)
				search.TightenTo(b, search.BoundOf(c))
				search.TightenTo(a, search.BoundOf(c))
			}
			a.Expand(1 + rng.IntN(9))
			search.TightenTo(b, search.BoundOf(a))
			b.Expand(1 + rng.IntN(9))
			search.TightenTo(a, search.BoundOf(b))
		}
		if got := search.BoundOf(a); got != least {
			t.Fatalf("seed %d: the least value is %d, want %d", seed, got, least)
		}
	}
}

// After an error of the worker a share is empty, and every share of the link has the error.
func TestFailure(t *testing.T) {
	w := newFake(false, true, true)
	a, b := w.share(true), w.share(true)
	a.Expand(3)
	w.failed = errFake
	if n := a.Expand(5); n != 0 || !a.Empty() {
		t.Errorf("%d nodes are expanded, empty %v", n, a.Empty())
	}
	for _, s := range []search.Work{a, b} {
		f, ok := search.As[search.Fallible](s)
		if !ok || f.Err() == nil || f.Err().Error() != errFake.Error() {
			t.Errorf("the error is %v, want %v", f.Err(), errFake)
		}
	}
	parts, _ := search.As[search.Bisecter](w.share(false))
	if n, _ := parts.Bisect(3, 0); n != 0 || !parts.Empty() {
		t.Errorf("%d nodes of a part are expanded, empty %v", n, parts.Empty())
	}
}

// A share has the optional interfaces for which the worker has the capabilities, and no others.
func TestCapabilities(t *testing.T) {
	for _, c := range []struct {
		w    *fakeWorker
		want string
	}{
		{newFake(false, false, false), "false false false false"},
		{newFake(true, false, false), "true false false false"},
		{newFake(false, true, false), "false true true false"},
		{newFake(false, false, true), "false false false true"},
	} {
		s := c.w.share(true)
		got := fmt.Sprint(search.HasCapability[search.Optimiser](s), search.HasCapability[search.Subtasker](s), search.HasCapability[search.Bisecter](s), search.HasCapability[search.Sizer](s))
		if got != c.want || search.HasCapability[search.Decider](s) || !search.HasCapability[search.Packer](s) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// Invalid pieces are refused, and the share stays empty.
func TestBadPieces(t *testing.T) {
	w := newFake(false, false, false)
	for _, piece := range []string{"", "w", "x123", "w\x00", "w\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02{", "w\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01{", "w\x00\x00\x00\x00\x00\x00\x00\x00\x00\x032\n3", "w\x00\x00\x00\x00\x00\x00\x00\xf8\x7f\x011"} {
		s := w.share(false)
		if err := s.Accept([]byte(piece)); err == nil || !s.Empty() {
			t.Errorf("the piece %q is accepted", piece)
		}
	}
	s := w.share(false)
	if err := s.Accept([]byte("w\x00\x00\x00\x00\x00\x00\x00\x00\x00\x011")); err != nil || s.Empty() || s.Accept([]byte("w\x00\x00\x00\x00\x00\x00\x00\x00\x00\x011")) == nil {
		t.Errorf("%v", err)
	}
}
