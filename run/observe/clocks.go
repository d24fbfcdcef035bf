package observe

import (
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/spmd"
)

// clocks are the offsets of the ranks' clocks from the clock of rank 0, with their uncertainty.
// The zero value is for ranks that share one clock.
type clocks struct {
	offsets []comm.Time
	within  comm.Time
}

// alignRounds is the number of meetings of the ranks. A meeting takes about 50 µs on one host.
// The shortest meetings give the result.
const alignRounds = 64

// alignClocks compares the clocks of all ranks with the clock of rank 0. All ranks must call it.
// Rank 0 gets the result.
//
// A meeting is a sum over all ranks. No rank leaves the sum before every rank has come to it. So,
// by a common clock, each rank comes before rank 0 leaves, and rank 0 comes before each rank
// leaves. These two facts bound the offset of a rank's clock from both sides. The bounds are
// certain, not estimates, if the clocks do not drift during the meetings. The result is the
// middle of the tightest bounds. Cristian, "Probabilistic clock synchronization" (1989), bounds a
// clock by a request and its answer in the same way. Later drift is not corrected.
func alignClocks(t interface {
	comm.Collective
	Now() comm.Time
}) (clocks, error) {
	var own meetings
	for i := range alignRounds {
		own.Came[i] = t.Now()
		if err := t.Sum(make([]int64, 1)); err != nil {
			return clocks{}, err
		}
		own.Left[i] = t.Now()
	}
	all, err := spmd.GatherJSON(t, &own)
	if err != nil || all == nil {
		return clocks{}, err
	}
	return compareClocks(all), nil
}

// meetings are the times at which a rank has come to each sum and left it.
type meetings struct{ Came, Left [alignRounds]comm.Time }

// compareClocks bounds the offsets of all clocks from the clock of the first rank.
func compareClocks(all []*meetings) clocks {
	c := clocks{offsets: make([]comm.Time, len(all))}
	zero := all[0]
	for rank, m := range all[1:] {
		least, most := comm.Time(math.MinInt64), comm.Time(math.MaxInt64)
		for i := range alignRounds {
			least = max(least, m.Came[i]-zero.Left[i])
			most = min(most, m.Left[i]-zero.Came[i])
		}
		c.offsets[rank+1] = least + (most-least)/2
		c.within = max(c.within, (most-least+1)/2)
	}
	return c
}

// rankOffset returns the offset of a rank's clock from the clock of rank 0.
func (c clocks) rankOffset(rank int) comm.Time {
	if c.offsets == nil {
		return 0
	}
	return c.offsets[rank]
}

// String describes how exact the times of different ranks are.
func (c clocks) String() string {
	if c.offsets == nil {
		return "one for all ranks"
	}
	return fmt.Sprintf("one a process, compared at the start to within %v", c.within.Duration())
}
