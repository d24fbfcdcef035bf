package sim

import (
	"fmt"
	"reflect"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/termination"
)

// shuffled returns a setup of poll and shuffle over a tree, with options that the seed selects.
func shuffled(t testing.TB, seed uint64) setup {
	t.Helper()
	machine, err := FindMachine(MachineNames()[seed/3%uint64(len(MachineNames()))])
	if err != nil {
		t.Fatal(err)
	}
	detectors := termination.DetectorNames()
	s := over(small(t), machine, "shuffle", detectors[seed/7%uint64(len(detectors))], 1+int(seed/5%18), seed)
	s.lb.Seed, s.lb.Permutations = seed, new(lb.Permutations)
	s.lb.Trigger = lb.Triggers[seed%3]
	s.lb.Permutation = lb.ShufflePermutations[seed/2%2]
	s.lb.TriggerAt = []float64{0, 0.3, 0.9}[seed/11%3]
	switch seed / 13 % 4 {
	case 0:
		s.lb.PhaseNodes = 1
	case 1:
		s.lb.PhaseNodes, s.lb.Backoff = 5, 500*us
	case 2:
		s.lb.Phase = 300 * us
	}
	return s
}

// Faults only make poll and shuffle slower, whatever its options.
func TestShuffleUnderFaults(t *testing.T) {
	seeds := uint64(1500)
	if testing.Short() {
		seeds = 150
	}
	for part := range uint64(4) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			moves := int64(0)
			for seed := part; seed < seeds; seed += 4 {
				s := shuffled(t, seed)
				s.options.Faults = faultsOf(seed)
				r, err := s.run(t)
				if err != nil {
					t.Fatalf("seed %d (%s, %s, P = %d, %+v, %+v): %v", seed, s.machine.Name, s.detector, s.p, s.lb, s.options.Faults, err)
				}
				moves += r.Messages[comm.Move]
			}
			if moves < int64(seeds) {
				t.Errorf("only %d moves in %d runs", moves, seeds/4)
			}
		})
	}
}

// Ranks that share computed permutations behave like ranks that do not.
func TestSharedPermutationsChangeNothing(t *testing.T) {
	for seed := range uint64(24) {
		s := shuffled(t, seed)
		shared, hash := s.transcript(t)
		s.lb.Permutations = nil
		alone, again := s.transcript(t)
		if hash != again || !reflect.DeepEqual(shared, alone) {
			t.Errorf("seed %d: shared %x %+v, alone %x %+v", seed, hash, shared, again, alone)
		}
	}
}

// When the last node is expanded and all ranks have been idle for a whole cycle, they send no more
// reports. Only messages of the detector remain, so that a slow detector adds no other messages.
func TestShuffleFallsSilent(t *testing.T) {
	for _, trigger := range lb.Triggers {
		var last, ended comm.Time
		s := over(small(t), nCUBE2, "shuffle", "ring", 64, 1)
		s.lb.Trigger = trigger
		s.options.Trace = func(e Entry) {
			switch {
			case e.What == Sent && e.Message.Kind == comm.Status:
				last = max(last, e.At)
			case e.What == Ended:
				ended = max(ended, e.At)
			}
		}
		r, err := s.run(t)
		if err != nil {
			t.Fatal(err)
		}
		// A cycle of idle ranks takes at most a phase, 500 µs, and 6 meetings of about 150 µs. At
		// most one cycle in progress, its shuffle, and one more cycle remain.
		if quiet := last - r.LastExpansion; quiet > 5000*us || ended < last {
			t.Errorf("%s: reports are sent for %v after the last node, until %v before the end", trigger, quiet.Duration(), (ended - last).Duration())
		}
	}
}
