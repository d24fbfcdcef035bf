package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/search"
	"treesplit/search/searchtest"
	"treesplit/search/stack"
	"treesplit/termination"
)

// Reference: the On-Line Encyclopedia of Integer Sequences, A000170.
var solutions = []int64{1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724}

// nodes counts the placements of queens in the first rows by trying all columns: the tree
// by its definition, with no bits.
func nodes(size int, columns []int) (n int64) {
	n = 1
	if len(columns) == size {
		return n
	}
next:
	for c := range size {
		for row, d := range columns {
			if away := len(columns) - row; d == c || d-c == away || c-d == away {
				continue next
			}
		}
		n += nodes(size, append(columns, c))
	}
	return n
}

// The share implements all interfaces that schemes need.
func TestConformance(t *testing.T) {
	q := &queens{size: 8}
	whole := func(root bool) func() search.Work {
		return func() search.Work { return q.Share(search.DefaultSplitting, root) }
	}
	searchtest.Run(t, whole(true), whole(false), nodes(8, nil))
}

// Every scheme with every detector counts the same, on goroutines.
func TestCounts(t *testing.T) {
	for size := 1; size < len(solutions); size++ {
		want := nodes(size, nil)
		for i, scheme := range lb.SchemeNames() {
			p := run.DefaultPlan(1 + (size+i)%5)
			p.Scheme, p.Termination = scheme, termination.DetectorNames()[(size+i)%len(termination.DetectorNames())]
			r, err := run.RunOnGoroutines(p, &queens{size: size}, run.Hooks{})
			if err != nil {
				t.Fatalf("size %d under %s: %v", size, scheme, err)
			}
			if r.Counts.Sums[0] != solutions[size] || r.Expanded != want {
				t.Errorf("size %d under %s: %d solutions, %d nodes, want %d and %d", size, scheme, r.Counts.Sums[0], r.Expanded, solutions[size], want)
			}
		}
	}
}

// first is a search that ends at the first solution, as docs/own-problem.md shows it.
type first struct{ *queens }

type firstShare struct {
	*stack.Share[board]
	of *queens
}

func (s firstShare) Decided() bool { return s.of.solutions > 0 }

func (q first) Share(split search.Splitting, root bool) search.Work {
	own := &queens{size: q.size}
	s := firstShare{stack.New(own, split, root), own}
	s.StopWhen(s.Decided)
	return s
}

func (q first) Count(w search.Work) run.Counts {
	return run.Counts{Sums: []int64{w.(firstShare).of.solutions}, Maxima: []int64{w.(firstShare).of.solutions}}
}

// Under every scheme a search ends at the first solution, and no share expands nodes after its own one.
func TestFirst(t *testing.T) {
	for i, scheme := range lb.SchemeNames() {
		p := run.DefaultPlan(1 + i%4)
		p.Scheme = scheme
		r, err := run.RunOnGoroutines(p, run.Loaded{Problem: first{&queens{size: 9}}}, run.Hooks{})
		if err != nil || r.Why != lb.Decided || r.Counts.Maxima[0] != 1 {
			t.Errorf("%s: %+v, %v: expected a search that is decided, with one solution per share", scheme, r, err)
		}
	}
}

// A search that is interrupted resumes under another scheme.
func TestCheckpoint(t *testing.T) {
	file := t.TempDir() + "/queens"
	p := run.DefaultPlan(2)
	p.Store, p.Checkpoint, p.Timeout = checkpoint.Files{}, file, 20*time.Millisecond
	r, err := run.RunOnGoroutines(p, &queens{size: 13}, run.Hooks{})
	if err != nil || r.Why != lb.Timeout {
		t.Fatalf("%v, %v: expected a search that takes longer", r, err)
	}
	p = run.DefaultPlan(3)
	p.Store, p.Resume, p.Scheme = checkpoint.Files{}, file, "static+grr"
	if r, err = run.RunOnGoroutines(p, &queens{size: 13}, run.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if r.Counts.Sums[0] != 73712 { // A000170
		t.Errorf("%d solutions, want 73712", r.Counts.Sums[0])
	}
}

// A checkpoint needs a store.
func TestNoStore(t *testing.T) {
	p := run.DefaultPlan(2)
	p.Checkpoint = t.TempDir() + "/queens"
	if _, err := run.RunOnGoroutines(p, &queens{size: 8}, run.Hooks{}); err == nil || !strings.Contains(err.Error(), "Plan.Store") {
		t.Errorf("%v: expected an error that names Plan.Store", err)
	}
}

// It is whole, and short.
func TestShort(t *testing.T) {
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n >= 100 {
		t.Errorf("%d lines: expected fewer than 100", n)
	}
}

// Boards that cannot be are refused.
func TestHostileBoards(t *testing.T) {
	q := &queens{size: 8}
	for _, b := range []board{{1 << 8, 0, 0}, {0, 1 << 31, 0}, {0, 0, 1 << 9}} {
		if q.Check(b) == nil {
			t.Errorf("%+v was taken", b)
		}
	}
	for _, size := range []int{0, -1, 32} {
		if _, err := (&queens{size: size}).Load(); err == nil || !strings.Contains(err.Error(), fmt.Sprint(size)) {
			t.Errorf("size %d: %v", size, err)
		}
	}
}
