package sim

import (
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
)

// Values of the best solution reach all ranks under every scheme and with faults, add no node, and
// cost what messages cost: at most P−1 messages for each value that a rank has found.
func TestBounds(t *testing.T) {
	detectors := termination.DetectorNames()
	for i, scheme := range lb.SchemeNames() {
		for seed := range uint64(24) {
			shape := explore.Shape{Seed: seed, Depth: 8, Width: 4, Values: true}
			var shares []*explore.Toy
			var ranks []lb.Balancer
			toy := func(root bool) search.Work {
				shares = append(shares, explore.NewToy(shape, root))
				return shares[len(shares)-1]
			}
			s := setup{
				machine: nCUBE2, p: 1 + int(seed%17), seed: seed, scheme: scheme, detector: detectors[(int(seed)+i)%len(detectors)],
				share: toy, lb: lb.Options{Delay: 300 * us, Cutoff: 3},
				options: Options{MaxEvents: 5_000_000, Faults: faultsOf(seed)},
			}
			if lb.MovesShares(scheme) || lb.HasStaticStart(scheme) {
				s.options.Faults.RefuseOneIn = 0 // a refusing share is neither Packer nor Bisecter
			}
			r, err := Run(s.machine, s.p, s.seed, func(rank int) lb.Balancer {
				b, err := s.balancer(rank, s.options.Faults.WrapRefusing(toy(rank == 0), s.seed, rank))
				if err != nil {
					t.Fatal(err)
				}
				ranks = append(ranks, b)
				return b
			}, s.options)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", scheme, seed, err)
			}
			for rank, b := range ranks {
				if got, want := b.(interface{ Bound() int64 }).Bound(), shape.LeastValue(); got != want {
					t.Fatalf("%s, seed %d: rank %d of %d knows of %d, the least is %d", scheme, seed, rank, s.p, got, want)
				}
			}
			told := r.Messages[comm.Bound]
			if r.Stats.Expanded != int64(shape.CountNodes()) || told < int64(s.p-1) || told > (r.Stats.Expanded+r.Stats.Redundant)*int64(s.p-1) {
				t.Fatalf("%s, seed %d: %d nodes of %d, %d bounds told on %d ranks", scheme, seed, r.Stats.Expanded, shape.CountNodes(), told, s.p)
			}
		}
	}
}
