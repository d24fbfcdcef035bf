package sim

import (
	"fmt"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/search"
)

// Faults are the faults of a run, drawn from the run's seed. No fault loses or duplicates a
// message, because MPI does neither. The zero value means no faults.
type Faults struct {
	// SlowOneIn makes about one rank in SlowOneIn slow; 0: no rank. On a slow rank everything takes
	// SlowBy times as long.
	SlowOneIn, SlowBy int
	// Jitter lengthens each message's transit by 0 to Jitter, drawn uniformly. Messages between two
	// ranks keep their order.
	Jitter comm.Time
	// PauseOneIn makes a rank pause for Pause before one in PauseOneIn of its actions. 0: never.
	PauseOneIn int
	Pause      comm.Time
	// RefuseOneIn makes a share refuse one in RefuseOneIn splits. It affects the shares that
	// WrapRefusing has wrapped. 0: none.
	RefuseOneIn int
}

// CheckFields returns an error if a value is invalid.
func (f Faults) CheckFields() error {
	switch {
	case f.SlowOneIn < 0 || f.PauseOneIn < 0 || f.RefuseOneIn < 0:
		return fmt.Errorf("faults of one in %d, %d and %d: expected 0 or more", f.SlowOneIn, f.PauseOneIn, f.RefuseOneIn)
	case f.SlowOneIn > 0 && (f.SlowBy < 1 || f.SlowBy > 1<<16):
		return fmt.Errorf("slow ranks by a factor of %d: expected 1 to %d", f.SlowBy, 1<<16)
	case f.Jitter < 0 || f.Jitter > maxCost || f.Pause < 0 || f.Pause > maxCost:
		return fmt.Errorf("a jitter of %v and pauses of %v: expected 0 to %v", f.Jitter.Duration(), f.Pause.Duration(), comm.Time(maxCost).Duration())
	}
	return nil
}

// faultStream is the number of the random stream of faults. No rank has this number.
const faultStream = 1 << 40

// drawOneIn returns true once in n times on average; for n = 0 it returns false and draws nothing.
func drawOneIn(r *rand.Rand, n int) bool { return n > 0 && r.IntN(n) == 0 }

// WrapRefusing returns w with a splitting function that refuses at random, as f specifies; with
// RefuseOneIn = 0 it returns w. The wrapped share keeps its other capabilities, such as those of a
// Decider or a Subtasker.
func (f Faults) WrapRefusing(w search.Work, seed uint64, rank int) search.Work {
	if f.RefuseOneIn == 0 {
		return w
	}
	return &refusing{Work: w, rand: rand.New(rand.NewPCG(seed, faultStream+1+uint64(rank))), oneIn: f.RefuseOneIn}
}

// refusing is a search.Wrapper of a Work that refuses to be split.
type refusing struct {
	search.Work
	rand  *rand.Rand
	oneIn int
}

// Unwrap returns the Work within.
func (w *refusing) Unwrap() search.Work { return w.Work }

// Split refuses, or splits.
func (w *refusing) Split(dst []byte) ([]byte, bool) {
	if drawOneIn(w.rand, w.oneIn) {
		return dst, false
	}
	return w.Work.Split(dst)
}
