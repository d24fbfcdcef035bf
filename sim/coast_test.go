package sim

import (
	"reflect"
	"slices"
	"testing"

	"treesplit/comm"
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

// runBothWays returns the results of a setup without and with coasting.
func (s setup) runBothWays(t *testing.T) (polled, coasted Result) {
	t.Helper()
	s.options.PerRank, s.options.EveryPoll = true, true
	polled, err := s.run(t)
	if err != nil {
		t.Fatal(err)
	}
	s.options.EveryPoll = false
	coasted, err = s.run(t)
	if err != nil {
		t.Fatal(err)
	}
	return polled, coasted
}

// coastable returns machines: one with costs whose sums seldom agree, so that two events are seldom at
// the same moment, one with costs that are multiples of each other, so that they often are, one on which
// messages arrive at the moment at which they are sent, one with a bus, and one whose messages wait for links.
func coastable() []Machine {
	uneven, even, free, bus, links := nCUBE2, nCUBE2, nCUBE2, nCUBE2, nCUBE2
	uneven.Expand, uneven.Poll, uneven.Startup, uneven.Receive = 50021, 12007, 100003, 20011
	uneven.PerWord, uneven.PerHop = 2003, 2017
	even.Expand, even.Poll, even.Startup, even.Receive, even.PerWord, even.PerHop = 20, 10, 20, 10, 0, 10
	free.Expand, free.Poll, free.Startup, free.Receive, free.PerWord, free.PerHop = 10, 0, 0, 5, 0, 0
	bus.Topology, bus.Expand, bus.Poll, bus.Startup, bus.Receive, bus.PerWord = "bus", 20, 0, 20, 0, 10
	links.Topology, links.Contention = "mesh", CutThrough
	links.Expand, links.Poll, links.Startup, links.Receive, links.PerWord, links.PerHop = 20, 10, 20, 10, 5, 10
	return []Machine{uneven, even, free, bus, links}
}

// A rank that coasts does the same as a rank that polls after every quantum: all counts and times of
// all ranks are equal.
func TestCoastingChangesNothing(t *testing.T) {
	tree := binary(t)
	for i, machine := range coastable() {
		for _, scheme := range lb.SchemeNames() {
			for run := range uint64(12) {
				m, p, seed := machine, []int{1, 2, 5, 16}[run%4], run/4
				m.Quantum, m.Serve = []int{1, 1, 3}[(run+uint64(i))%3], []int{1, 2, 1 << 20}[(run/4+uint64(i))%3]
				s := over(tree, m, scheme, "tree", p, seed)
				s.lb.Delay = 3 * m.Expand
				switch run % 3 { // the phases of poll and shuffle
				case 0:
					s.lb.Phase = comm.Time(2+5*run) * m.Expand
				case 1:
					s.lb.PhaseNodes = 3 + 4*int(run)
				}
				if polled, coasted := s.runBothWays(t); !reflect.DeepEqual(polled, coasted) {
					t.Errorf("machine %d, %s, quantum %d, serve %d, P = %d, seed %d: %+v and %+v", i, scheme, m.Quantum, m.Serve, p, seed, polled, coasted)
				}
			}
		}
	}
}

// Coasting saves events of the agenda: on one rank a whole search is a single event.
func TestCoastingSavesEvents(t *testing.T) {
	tree := binary(t)
	calls := &countingSteps{}
	m := coastable()[0]
	m.Quantum = 1
	s := over(tree, m, "rp", "tree", 1, 1)
	s.share = func(root bool) search.Work { calls.Share = tree.Share(search.DefaultSplitting, root); return calls }
	if r, err := s.run(t); err != nil || r.Steps != tree.NodeCount() || calls.expands > 3 {
		t.Errorf("%d steps and %d calls of Expand for %d nodes: expected a few calls; %v", r.Steps, calls.expands, tree.NodeCount(), err)
	}
}

// Under poll and shuffle a rank coasts to the end of its phase.
func TestCoastingEndsWithThePhase(t *testing.T) {
	tree := binary(t)
	m := coastable()[0]
	m.Quantum = 1
	for name, phase := range map[string]func(o *lb.Options){
		"a time":             func(o *lb.Options) { o.Phase = 20 * m.Expand },
		"a number of nodes":  func(o *lb.Options) { o.PhaseNodes = 20 },
		"longer than a tree": func(o *lb.Options) { o.PhaseNodes = 1 << 20 },
	} {
		calls := 0
		s := over(tree, m, "shuffle", "tree", 4, 1)
		phase(&s.lb)
		s.share = func(root bool) search.Work {
			return &countingCalls{tree.Share(search.DefaultSplitting, root), &calls}
		}
		if r, err := s.run(t); err != nil || int64(calls) > r.Steps/2 {
			t.Errorf("%s: %d calls of Expand for %d steps: expected at most half; %v", name, calls, r.Steps, err)
		}
	}
}

// countingCalls is a share that counts the calls of Expand of all ranks.
type countingCalls struct {
	*replay.Share
	calls *int
}

func (c *countingCalls) Expand(limit int) int { *c.calls++; return c.Share.Expand(limit) }

// countingSteps is a share that counts its calls of Expand.
type countingSteps struct {
	*replay.Share
	expands int
}

func (c *countingSteps) Expand(limit int) int { c.expands++; return c.Share.Expand(limit) }

// A tree whose order depends on quanta is not coasted over.
func TestCoastingKeepsOrder(t *testing.T) {
	polled, coasted := over(small(t), coastable()[0], "rp", "tree", 8, 1).runBothWays(t)
	if !slices.Equal(polled.Ranks, coasted.Ranks) {
		t.Errorf("%v and %v", polled.Stats, coasted.Stats)
	}
}

// A run that is observed step by step does not coast.
func TestObserversSeeEveryStep(t *testing.T) {
	for name, observe := range map[string]func(o *Options){
		"every poll": func(o *Options) { o.EveryPoll = true },
		"trace":      func(o *Options) { o.Trace = func(Entry) {} },
		"look":       func(o *Options) { o.Look = func(now comm.Time) comm.Time { return now + 1 } },
		"pause":      func(o *Options) { o.PauseAt = comm.Never },
		"check":      func(o *Options) { o.Left = func(int) int64 { return 0 } },
		"faults":     func(o *Options) { o.Faults.Jitter = 1 },
	} {
		tree := binary(t)
		calls := &countingSteps{}
		s := over(tree, nCUBE2, "rp", "tree", 1, 1)
		s.machine.Quantum, s.options.Nodes = 1, 0
		s.share = func(root bool) search.Work { calls.Share = tree.Share(search.DefaultSplitting, root); return calls }
		observe(&s.options)
		if _, err := s.run(t); err != nil || int64(calls.expands) < tree.NodeCount() {
			t.Errorf("%s: %d calls of Expand for %d nodes: %v", name, calls.expands, tree.NodeCount(), err)
		}
	}
}
