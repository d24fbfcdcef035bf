package workloads_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/search"
	"treesplit/search/stack"
)

// slopes is branch and bound written by a user: the least sum on a way down a binary tree, on
// which sums only grow. Its fault breaks run.Optimising or search.Optimiser.
type slopes struct{ fault string }

const slopesDepth = 11

// slope is a node; a node at the greatest depth is the end of a way.
type slope struct{ Place, Depth, Sum uint32 }

type slopesTree struct {
	told, own int64
	way       string // name of the way to own
}

func (t *slopesTree) Root() slope       { return slope{} }
func (t *slopesTree) Check(slope) error { return nil }

func (t *slopesTree) Visit(n slope) {
	if n.Depth == slopesDepth && int64(n.Sum) < min(t.told, t.own) {
		t.own, t.way = int64(n.Sum), fmt.Sprint(n.Sum)
	}
}

func (t *slopesTree) Children(dst []slope, n slope) []slope {
	if n.Depth == slopesDepth || int64(n.Sum) >= min(t.told, t.own) {
		return dst
	}
	for side := range uint32(2) {
		place := 2*n.Place + 1 + side
		dst = append(dst, slope{place, n.Depth + 1, n.Sum + (place*2654435761>>7^place)%97})
	}
	return dst
}

type slopesShare struct {
	*stack.Share[slope]
	tree *slopesTree
	of   *slopes
}

func (s slopesShare) Bound() int64 {
	if s.of.fault == "does not say what it has found" {
		return s.tree.told
	}
	return min(s.tree.told, s.tree.own)
}

func (s slopesShare) Tighten(value int64) { s.tree.told = min(s.tree.told, value) }

func (s *slopes) Encode() ([]byte, error)      { return nil, nil }
func (s *slopes) Count(search.Work) run.Counts { return run.Counts{} }
func (s *slopes) Identity() string             { return "slopes" }

func (s *slopes) Share(split search.Splitting, root bool) search.Work {
	t := &slopesTree{told: search.NoBound, own: search.NoBound}
	if s.fault == "begins with the optimum" {
		t.told = leastSlope()
	}
	return slopesShare{stack.New(t, split, root), t, s}
}

func (s *slopes) Witness(w search.Work) []byte {
	t := w.(slopesShare).tree
	if t.way == "" || s.fault == "has lost the best" && t.own == leastSlope() {
		return nil
	}
	return []byte(t.way)
}

func (s *slopes) Value(witness []byte) (value int64, err error) {
	if s.fault == "is no solution" {
		return 0, errors.New("a way that ends nowhere")
	}
	_, err = fmt.Sscan(string(witness), &value)
	if s.fault == "is worse than it says" {
		value++
	}
	return value, err
}

// leastSlope returns the optimum by trying all ways.
func leastSlope() int64 {
	t, least := &slopesTree{told: search.NoBound, own: search.NoBound}, int64(search.NoBound)
	var try func(n slope)
	try = func(n slope) {
		if n.Depth == slopesDepth {
			least = min(least, int64(n.Sum))
		}
		for _, child := range t.Children(nil, n) {
			try(child)
		}
	}
	try(slope{})
	return least
}

// inWorlds runs a problem on goroutines and on a simulated machine.
func inWorlds(t *testing.T, p run.Plan, problem run.Problem, check func(t *testing.T, r *run.Result, err error)) {
	t.Helper()
	r, err := run.RunOnGoroutines(p, run.Loaded{Problem: problem}, run.Hooks{})
	check(t, r, err)
	r, err = run.RunSimulation(mustMachine(t, "ncube2"), p, run.Loaded{Problem: problem}, run.Hooks{})
	check(t, r, err)
}

// The witness of a run is the best one, whichever rank has found it and in whatever order. This
// also holds for damaged shares.
func TestBestWitness(t *testing.T) {
	want := fmt.Sprint(leastSlope())
	for i, scheme := range lb.SchemeNames() {
		p := run.DefaultPlan(3 + i%5)
		p.Scheme, p.Quantum = scheme, 1
		if i%2 == 0 && !lb.CutsSubtasks(scheme) && !lb.MovesShares(scheme) {
			p.Damage = 0.25
		}
		inWorlds(t, p, &slopes{}, func(t *testing.T, r *run.Result, err error) {
			if err != nil {
				t.Fatalf("%s: %v", scheme, err)
			}
			if string(r.Witness) != want || fmt.Sprint(r.Bound) != want {
				t.Errorf("%s: a way of %s, the best known is %d, want %s", scheme, r.Witness, r.Bound, want)
			}
		})
	}
}

// A run of shares that contradict themselves returns an error on all ranks.
func TestLostWitness(t *testing.T) {
	for fault, want := range map[string]string{
		"has lost the best":              "a share knows a solution of value 216, but ",
		"is worse than it says":          "a share knows a solution of value 216, but the best solution of a share has value ",
		"does not say what it has found": "reports a larger least known value",
		"is no solution":                 "a way that ends nowhere",
	} {
		for _, ranks := range []int{1, 4} {
			inWorlds(t, run.DefaultPlan(ranks), &slopes{fault}, func(t *testing.T, r *run.Result, err error) {
				if err == nil || !strings.HasPrefix(err.Error(), "internal error: ") || !strings.Contains(err.Error(), want) || errors.As(err, &run.InputError{}) {
					t.Errorf("%s, %d ranks: %v, want %q", fault, ranks, err, want)
				}
			})
		}
	}
}

// A search that begins with the best value, and so finds nothing better, has no witness.
func TestNothingBetter(t *testing.T) {
	inWorlds(t, run.DefaultPlan(3), &slopes{"begins with the optimum"}, func(t *testing.T, r *run.Result, err error) {
		if err != nil || r.Witness != nil || r.Bound != leastSlope() {
			t.Errorf("%+v, %v: expected no way, and the bound %d", r, err, leastSlope())
		}
	})
}

// unvalued is a problem whose witnesses have no value.
type unvalued struct{ run.Problem }

// Shares with bounds are refused if their problem cannot compare solutions.
func TestNoValue(t *testing.T) {
	inWorlds(t, run.DefaultPlan(2), unvalued{&slopes{}}, func(t *testing.T, r *run.Result, err error) {
		if err == nil || !strings.Contains(err.Error(), "has no method Value(witness []byte) (int64, error)") {
			t.Errorf("%v, %v", r, err)
		}
	})
}
