package spmd_test

import (
	"math"
	"testing"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/spmd"
)

// The closed part that rank 0 receives never falls and never exceeds 1. At the end the ranks
// themselves have closed everything, under every scheme.
func TestProgress(t *testing.T) {
	nodes := int64(shape.CountNodes())
	for _, scheme := range lb.SchemeNames() {
		t.Run(scheme, func(t *testing.T) {
			for _, p := range []int{1, 3} {
				last, told := spmd.Progress{}, 0
				ranks := make([]lb.Balancer, p)
				c := spmd.Config{Seed: 3, Beat: 1, Progress: func(now spmd.Progress) {
					if now.Closed < last.Closed || now.Closed > 1 || now.Expanded > nodes || now.Idle < 0 || now.Idle > 1 || now.Open < 0 || !now.Known {
						t.Errorf("P = %d: %+v after %+v, of %d nodes", p, now, last, nodes)
					}
					last = now
					told++
				}}
				if _, err := run(t, p, c, func(i int) lb.Balancer {
					ranks[i] = rank(t, scheme, "ring", explore.NewToy(shape, i == 0), i, p)
					return ranks[i]
				}); err != nil {
					t.Fatalf("P = %d: %v", p, err)
				}
				if end := spmd.ProgressOfRanks(ranks); math.Abs(end.Closed-1) > 1e-9 || end.Expanded != nodes || end.Open != 0 || end.Idle != 1 {
					t.Errorf("P = %d: at the end %+v, of %d nodes", p, end, nodes)
				}
				if told == 0 || last.Expanded == 0 || last.Closed == 0 {
					t.Errorf("P = %d: told %d times, at last %+v", p, told, last)
				}
			}
		})
	}
}
