package termination_test

import (
	"fmt"
	"strings"
	"testing"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/termination"
)

type makeDetector func(rank, size int) termination.Detector

// world is a small world under random polling, which has no state of its own.
func world(p int, seed uint64, detector makeDetector) *explore.World {
	shape := explore.Shape{Seed: seed, Depth: int(2 + seed%3), Width: int(2 + seed%3)}
	return explore.New(p, shape, seed, func(work *explore.Toy, rank, size int) lb.Balancer {
		return lb.NewReceiver(lb.Options{Work: work, Detector: detector(rank, size)}, lb.RandomPolling{})
	})
}

// rounds bounds a detector's delay. After the last node is expanded at most three rounds pass:
// the one in progress, one that whitens, and one that is clear. A round of a ring takes P
// tokens, a round of a tree or mesh 2(P−1).
const rounds = 3

// search tries random and systematic schedules and returns the first fault.
func search(detector makeDetector, seeds uint64, bound int) error {
	for _, p := range []int{1, 2, 3, 4, 5} {
		for seed := range seeds {
			o, err := explore.Run(world(p, seed, detector), explore.RandomChooser(seed), 4000*p)
			if err == nil && o.Tokens > rounds*2*p {
				err = fmt.Errorf("the detector is late: it took %d tokens after the last node", o.Tokens)
			}
			if err != nil {
				return fmt.Errorf("P = %d, seed %d: %w", p, seed, err)
			}
		}
	}
	for _, p := range []int{2, 3} {
		if _, err := explore.Systematic(func() *explore.World { return world(p, 4, detector) }, bound, 30, 4000*p); err != nil {
			return fmt.Errorf("P = %d: %w", p, err)
		}
	}
	return nil
}

// No detector is early or late in any of the schedules that are tried.
func TestNeverEarlyNeverLate(t *testing.T) {
	seeds, bound := uint64(5000), 2
	if testing.Short() {
		seeds, bound = 150, 1
	}
	for _, name := range termination.DetectorNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := search(func(rank, size int) termination.Detector {
				d, err := termination.New(name, rank, size)
				if err != nil {
					t.Error(err)
				}
				return d
			}, seeds, bound)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// The explorer catches every mutant.
func TestMutantsAreCaught(t *testing.T) {
	for name, mutant := range termination.Mutants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := search(mutant, 1500, 2)
			if err == nil {
				t.Fatal("the explorer did not catch the mutant")
			}
			line, _, _ := strings.Cut(err.Error(), "\n")
			t.Log(line)
		})
	}
}

// Unknown names are refused with a list of the known names.
func TestNewRefusesUnknownNames(t *testing.T) {
	if _, err := termination.New("dijkstra", 0, 1); err == nil {
		t.Error("New accepts an unknown detector")
	}
}
