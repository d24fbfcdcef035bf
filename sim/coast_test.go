package sim

import (
	"slices"
	"strings"
	"testing"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/uts"
)

// binary returns a tree of a few hundred nodes whose order does not depend on quanta.
func binary(t testing.TB) *replay.Tree {
	t.Helper()
	p := uts.DefaultParams()
	p.Type, p.B0, p.Q, p.M, p.Seed = uts.Binomial, 40, 0.18, 5, 2
	shape, err := uts.TreeShape(p)
	if err != nil {
		t.Fatal(err)
	}
	shape.Batch = 1
	tree, err := replay.RecordTree(shape, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// uneven returns the nCUBE/2 with costs whose sums seldom agree, so that two events of different ranks
// are seldom at the same moment.
func uneven(quantum, serve int) Machine {
	m := nCUBE2
	m.Expand, m.Poll, m.Startup, m.Receive = 50021, 12007, 100003, 20011
	m.PerWord, m.PerHop = 2003, 2017
	m.Quantum, m.Serve = quantum, serve
	return m
}

// runBothWays returns the results of a setup without and with Options.Coast.
func (s setup) runBothWays(t *testing.T) (polled, coasted Result) {
	t.Helper()
	s.options.PerRank = true
	polled, err := s.run(t)
	if err != nil {
		t.Fatal(err)
	}
	s.options.Coast = true
	coasted, err = s.run(t)
	if err != nil {
		t.Fatal(err)
	}
	return polled, coasted
}

// A rank that coasts does the same as a rank that polls after every quantum: all counts and times of
// all ranks are equal if no two events are at the same moment.
func TestCoastingChangesNothing(t *testing.T) {
	tree := binary(t)
	same, all := 0, 0
	for _, scheme := range lb.SchemeNames() {
		for _, quantum := range []int{1, 3} {
			for _, serve := range []int{1, 1 << 20} {
				for _, p := range []int{1, 2, 5, 16} {
					for seed := range uint64(3) {
						s := over(tree, uneven(quantum, serve), scheme, "tree", p, seed)
						polled, coasted := s.runBothWays(t)
						all++
						if slices.Equal(polled.Ranks, coasted.Ranks) && polled.Time == coasted.Time && polled.Events == coasted.Events {
							same++
						} else {
							t.Logf("%s, quantum %d, serve %d, P = %d, seed %d: %v and %v", scheme, quantum, serve, p, seed, polled.Time, coasted.Time)
						}
					}
				}
			}
		}
	}
	if same < all {
		t.Errorf("%d of %d runs are the same", same, all)
	}
}

// Coasting saves events of the agenda: on one rank a whole search is a single event.
func TestCoastingSavesEvents(t *testing.T) {
	tree := binary(t)
	calls := &countingSteps{}
	s := over(tree, uneven(1, 1), "rp", "tree", 1, 1)
	s.share = func(root bool) search.Work { calls.Share = tree.Share(search.DefaultSplitting, root); return calls }
	s.options.Coast = true
	if r, err := s.run(t); err != nil || r.Steps != tree.NodeCount() || calls.expands > 3 {
		t.Errorf("%d steps and %d calls of Expand for %d nodes: expected a few calls; %v", r.Steps, calls.expands, tree.NodeCount(), err)
	}
}

// countingSteps is a share that counts its calls of Expand.
type countingSteps struct {
	*replay.Share
	expands int
}

func (c *countingSteps) Expand(limit int) int { c.expands++; return c.Share.Expand(limit) }

// A tree whose order depends on quanta is not coasted over.
func TestCoastingKeepsOrder(t *testing.T) {
	polled, coasted := over(small(t), uneven(3, 1), "rp", "tree", 8, 1).runBothWays(t)
	if !slices.Equal(polled.Ranks, coasted.Ranks) {
		t.Errorf("%v and %v", polled.Stats, coasted.Stats)
	}
}

// A run that is observed event by event cannot coast.
func TestCoastingRefusesObservers(t *testing.T) {
	for name, spoil := range map[string]func(o *Options){
		"trace":  func(o *Options) { o.Trace = func(Entry) {} },
		"check":  func(o *Options) { o.Left = func(int) int64 { return 0 } },
		"faults": func(o *Options) { o.Faults.Jitter = 1 },
	} {
		s := over(binary(t), nCUBE2, "rp", "tree", 2, 1)
		s.options.Coast = true
		spoil(&s.options)
		if _, err := s.run(t); err == nil || !strings.Contains(err.Error(), "coasts") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
