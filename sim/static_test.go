package sim

import (
	"fmt"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/model"
)

// Under the static scheme each rank receives its parts, and no other messages are sent except those
// of the detector and, if k is not given, a sample from each rank.
func TestStaticIsSilent(t *testing.T) {
	tree := small(t)
	for _, k := range []int{0, 3, 7, 12, lb.AutoSplits} {
		for _, p := range []int{1, 2, 5, 8, 13, 64} {
			t.Run(fmt.Sprintf("k = %d, P = %d", k, p), func(t *testing.T) {
				s := over(tree, ncubeWithTopology("test", "hypercube"), "static", "tree", p, 3)
				s.lb.Splits, s.lb.Permutations = k, new(lb.Permutations)
				r, err := s.run(t)
				if err != nil {
					t.Fatal(err)
				}
				if r.Stats.Expanded != tree.NodeCount() {
					t.Errorf("%d nodes of %d", r.Stats.Expanded, tree.NodeCount())
				}
				if n := r.Messages[comm.Deal]; n != int64(p-1) || r.Stats.Grants != n || r.Stats.Requests != 0 {
					t.Errorf("%d deals, %d grants, %d requests: expected %d, %d and none", n, r.Stats.Grants, r.Stats.Requests, p-1, p-1)
				}
				samples := int64(0)
				if k == lb.AutoSplits {
					samples = int64(p - 1)
				}
				if n := r.Messages[comm.Sample]; n != samples {
					t.Errorf("%d samples, want %d", n, samples)
				}
				for kind, n := range r.Messages {
					switch kind := comm.Kind(kind); kind {
					case comm.Deal, comm.Sample, comm.Token, comm.Stop:
					default:
						if n > 0 {
							t.Errorf("%d messages of kind %v", n, kind)
						}
					}
				}
			})
		}
	}
}

// A step of a rank that samples the tree is as short as any other step, except for the last dive, so that the run can be
// interrupted.
func TestSampleTakesManySteps(t *testing.T) {
	s := over(small(t), ncubeWithTopology("test", "hypercube"), "static", "tree", 2, 3)
	const nodes, dive = 1 << 20, 600
	s.share = func(root bool) search.Work {
		b, err := model.NewBinary(model.Halving{Nodes: nodes, Sigma: 0.1}, root)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	s.lb.Splits, s.lb.Permutations, s.machine.Quantum = lb.AutoSplits, new(lb.Permutations), 50
	s.options.Nodes, s.options.LeftIn = nodes, nil
	longest, dealt, sampled := 0, false, 0
	s.options.Trace = func(e Entry) {
		dealt = dealt || e.Message.Kind == comm.Deal
		if e.What == Stepped && !dealt {
			longest, sampled = max(longest, e.Nodes), sampled+e.Nodes
		}
	}
	if _, err := s.run(t); err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d nodes in samples, at most %d in a step", sampled, longest); sampled < 2*dive || longest > s.machine.Quantum+dive {
		t.Errorf("%d nodes in samples, at most %d in a step, want at most %d", sampled, longest, s.machine.Quantum+dive)
	}
}

// Nodes that bisecting expands again are charged, and their number is as large as the parts
// require: with k halvings at least 2^k parts are reached through nodes of other parts.
func TestRedundantNodesTakeTime(t *testing.T) {
	tree := small(t)
	var last comm.Time
	for _, k := range []int{2, 6, 10, 14} {
		s := over(tree, ncubeWithTopology("test", "hypercube"), "static", "ring", 4, 3)
		s.lb.Splits = k
		r, err := s.run(t)
		if err != nil {
			t.Fatal(err)
		}
		nodes := comm.Time(r.Stats.Expanded + r.Stats.Redundant)
		if r.Busy != nodes*s.machine.Expand {
			t.Errorf("k = %d: busy for %v with %d nodes", k, r.Busy.Duration(), nodes)
		}
		if r.Stats.Redundant < 1<<k-1 {
			t.Errorf("k = %d: only %d nodes expanded again", k, r.Stats.Redundant)
		}
		if r.Busy <= last {
			t.Errorf("k = %d: busy for %v, with fewer parts for %v", k, r.Busy.Duration(), last.Duration())
		}
		last = r.Busy
	}
}
