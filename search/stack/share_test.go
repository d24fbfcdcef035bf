package stack_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
	"treesplit/search/stack"
)

// fib is a node of the recursion of Fibonacci numbers: n > 1 has the children n−1 and n−2.
type fib struct{ N uint16 }

type fibs struct{ visited *int64 }

const fibRoot = 17

func (fibs) Root() fib { return fib{fibRoot} }

func (f fibs) Visit(fib) { *f.visited++ }

func (fibs) Children(dst []fib, n fib) []fib {
	if n.N < 2 {
		return dst
	}
	return append(dst, fib{n.N - 1}, fib{n.N - 2})
}

func (fibs) Check(n fib) error {
	if n.N > fibRoot {
		return errors.New("the number does not occur")
	}
	return nil
}

// Reference: the recursion for fib(n) makes 2·fib(n+1)−1 calls; fib(18) is 2584.
const calls = 2*2584 - 1

var splittings = []search.Splitting{{MinOpen: 1}, {MinOpen: 2, Cutoff: 5}, {Rule: search.Bottom, MinOpen: 1}, {Rule: search.Bottom, MinOpen: 3, Skip: 2}}

// All optional interfaces keep their contracts.
func TestConformance(t *testing.T) {
	for _, s := range splittings {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			share := func(root bool) func() search.Work {
				return func() search.Work { return stack.New(fibs{new(int64)}, s, root) }
			}
			searchtest.Run(t, share(true), share(false), calls)
		})
	}
}

// Every node is visited once, on whatever share it is expanded and to however many parts it is
// common.
func TestVisits(t *testing.T) {
	for k := range 12 {
		visited, expanded := int64(0), int64(0)
		for part := range uint64(1) << k {
			w := stack.New(fibs{&visited}, search.DefaultSplitting, false)
			n, _ := w.Bisect(k, part)
			expanded += int64(n)
			for !w.Empty() {
				expanded += int64(w.Expand(7))
			}
		}
		if visited != calls || expanded != calls {
			t.Errorf("2^%d parts: %d nodes visited, %d expanded, want %d", k, visited, expanded, calls)
		}
	}
}

// A share that is stopped expands no more nodes and cuts off no subtask.
func TestStopWhen(t *testing.T) {
	for name, expand := range map[string]func(s *stack.Share[fib]) int{
		"Expand": func(s *stack.Share[fib]) int { return s.Expand(100) },
		"Subtask": func(s *stack.Share[fib]) int {
			_, n, ok := s.Subtask(nil, 10, 100)
			if ok {
				t.Error("a stopped share cuts off a subtask")
			}
			return n
		},
	} {
		visited := int64(0)
		s := stack.New(fibs{&visited}, search.DefaultSplitting, true)
		s.StopWhen(func() bool { return visited == 7 })
		if first, second := expand(s), expand(s); first != 7 || second != 0 || s.Empty() {
			t.Errorf("%s: %d and %d nodes are expanded, want 7 and 0", name, first, second)
		}
		if _, n, ok := s.Subtask(nil, 1, 100); n != 0 || ok {
			t.Errorf("%s: a stopped share expands %d nodes, cuts off a subtask: %v", name, n, ok)
		}
	}
}

// New refuses a node that cannot be sent to another rank, and its panic says why.
func TestBadNodes(t *testing.T) {
	for _, c := range []struct {
		make func()
		want string
	}{
		{newTree[struct{ All []int32 }], "has no fixed size"},
		{newTree[struct{ N int }], "has no fixed size"},
		{newTree[[]int32], "has no fixed size"},
		{newTree[*int32], "has no fixed size"},
		{newTree[struct{ hidden int32 }], "the field hidden of a node"},
		{newTree[struct{ In [2]struct{ hidden int32 } }], "the field In.hidden of a node"},
		{newTree[struct{ number }], "the field number of a node"},
		{newTree[struct{ part }], ""},
		{newTree[struct {
			A int32
			_ [4]byte
			_ struct{ hidden int32 }
		}], ""},
	} {
		if got := panicOf(c.make); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("New panics with %q, want %q", got, c.want)
		}
	}
}

// panicOf returns the text of the panic of a function, or "".
func panicOf(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// newTree makes a share of a tree, and another share that takes over a piece of it.
func newTree[N any]() {
	donor := stack.New(leaves[N]{}, search.DefaultSplitting, true)
	requester := stack.New(leaves[N]{}, search.DefaultSplitting, false)
	if err := requester.Accept(donor.Pack(nil)); err != nil {
		panic(err)
	}
}

type (
	number int32
	part   struct{ N int32 }
)

// leaves is a tree of one node of any type.
type leaves[N any] struct{}

func (leaves[N]) Root() (n N)               { return n }
func (leaves[N]) Visit(N)                   {}
func (leaves[N]) Children(dst []N, _ N) []N { return dst }
func (leaves[N]) Check(N) error             { return nil }

// FuzzAccept: any bytes are either refused, or make a share that can be searched and packed.
func FuzzAccept(f *testing.F) {
	w := stack.New(fibs{new(int64)}, search.Splitting{MinOpen: 1}, true)
	w.Expand(20)
	if piece, ok := w.Split(nil); ok {
		f.Add(piece)
	}
	f.Add(w.Pack(nil))
	f.Add([]byte("s"))
	f.Fuzz(func(t *testing.T, piece []byte) {
		w := stack.New(fibs{new(int64)}, search.Splitting{MinOpen: 1}, false)
		if err := w.Accept(piece); err != nil {
			if !w.Empty() {
				t.Fatal("a share that has refused a piece has work")
			}
			return
		}
		w.Expand(100)
		if w.Empty() {
			return
		}
		if err := stack.New(fibs{new(int64)}, search.DefaultSplitting, false).Accept(w.Pack(nil)); err != nil {
			t.Fatal(err)
		}
	})
}
