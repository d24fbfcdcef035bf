package stack_test

import (
	"errors"
	"fmt"
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

// New refuses a node without a fixed size.
func TestNoFixedSize(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New accepts a node with a slice")
		}
	}()
	stack.New(lists{}, search.DefaultSplitting, true)
}

type list struct{ All []int32 }

type lists struct{}

func (lists) Root() list                         { return list{} }
func (lists) Visit(list)                         {}
func (lists) Children(dst []list, _ list) []list { return dst }
func (lists) Check(list) error                   { return nil }

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
