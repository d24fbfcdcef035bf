package shares_test

import (
	"fmt"
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
	"treesplit/topology"
)

var (
	shape  = explore.Shape{Seed: 11, Depth: 10, Width: 4}
	splits = 9
)

func newBuilder(from *shares.Remainder, damage float64) *shares.Builder {
	return &shares.Builder{
		Share:     func(_ search.Splitting, root bool) search.Work { return explore.NewToy(shape, root) },
		Splitting: search.DefaultSplitting, From: from, Damage: damage,
	}
}

// simulate searches the tree, or the rest of it, on four ranks of an ideal machine, until a moment. It
// returns the counts and the remaining pieces.
func simulate(t *testing.T, scheme string, b *shares.Builder, until comm.Time) (lb.Stats, [][]byte) {
	t.Helper()
	const ranks = 4
	machine, err := sim.FindMachine("ideal")
	if err != nil {
		t.Fatal(err)
	}
	var all []lb.Balancer
	r, err := sim.Run(machine, ranks, 1, func(rank int) lb.Balancer {
		o := lb.Options{Splits: splits, Cutoff: 5}
		b.FillOptions(&o, rank)
		if o.Network, err = topology.Parse("hypercube", ranks); err != nil {
			t.Fatal(err)
		}
		if o.Detector, err = termination.New("ring", rank, ranks); err != nil {
			t.Fatal(err)
		}
		one, err := lb.New(scheme, o, rank, ranks)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
		return one
	}, sim.Options{MaxEvents: 1_000_000, PauseAt: until})
	if err != nil {
		t.Fatalf("%s: %v", scheme, err)
	}
	if nodes := r.Stats.Expanded + r.Stats.Redundant; r.Busy != comm.Time(nodes)*machine.Expand {
		t.Errorf("%s: %d nodes take %v, want %v for each", scheme, nodes, r.Busy, machine.Expand)
	}
	var pieces [][]byte
	for _, one := range all {
		one.(lb.Resumable).TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
	}
	return r.Stats, pieces
}

// The redundant nodes of a static start are counted, and take time, also if the search is paused and
// resumed under any scheme.
func TestRedundantNodesOfResumedSearch(t *testing.T) {
	whole, _ := simulate(t, "static", newBuilder(nil, 0), 0)
	before, pieces := simulate(t, "static", newBuilder(nil, 0), 1_000_000)
	if whole.Redundant <= before.Redundant || before.Redundant == 0 {
		t.Fatalf("%d redundant nodes, %d of them before the pause: expected some before and some afterwards", whole.Redundant, before.Redundant)
	}
	left, err := newBuilder(&shares.Remainder{}, 0).CheckPieces(pieces)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range lb.SchemeNames() {
		for _, kept := range []bool{false, true} {
			for _, damage := range []float64{0, 0.3} {
				if kept && !lb.CanKeepWork(scheme) || damage > 0 && (lb.CutsSubtasks(scheme) || lb.MovesShares(scheme)) {
					continue
				}
				from := &shares.Remainder{Left: left, Bound: search.NoBound}
				if kept {
					from.Kept = map[int]shares.Pieces{}
					for i, p := range left.Pieces {
						own := from.Kept[i%3]
						from.Kept[i%3] = shares.Pieces{Pieces: append(own.Pieces, p), Sizes: append(own.Sizes, left.Sizes[i])}
					}
				}
				name := fmt.Sprintf("%s, kept %v, damage %v", scheme, kept, damage)
				after, _ := simulate(t, scheme, newBuilder(from, damage), 0)
				if n := before.Expanded + after.Expanded; n != whole.Expanded {
					t.Errorf("%s: %d nodes, want %d", name, n, whole.Expanded)
				}
				if n := before.Redundant + after.Redundant; n != whole.Redundant {
					t.Errorf("%s: %d redundant nodes, want %d", name, n, whole.Redundant)
				}
			}
		}
	}
}
