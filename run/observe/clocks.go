package observe

import (
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/spmd"
)

// clocks holds the offsets of the ranks' clocks from the clock of rank 0, and the largest error of
// an offset.
// The zero value is for ranks that share one clock.
type clocks struct {
	offsets []comm.Time
	within  comm.Time
}

// alignRounds is the number of meetings of the ranks (see alignClocks). A meeting takes about 50 µs
// on one host. The shortest meetings give the tightest bounds.
const alignRounds = 64

// alignClocks compares the clocks of all ranks with the clock of rank 0. All ranks must call it.
// It returns the result on rank 0 and the zero value on the other ranks.
//
// A meeting is a sum over all ranks. No rank leaves the sum before every rank has entered it. So
// each rank enters before rank 0 leaves: this gives a lower bound of the offset of the rank's clock.
// Rank 0 enters before each rank leaves: this gives an upper bound. The bounds are certain, not
// estimates, if the clocks do not drift during the meetings. The result is the middle between the
// largest lower bound and the smallest upper bound. Cristian, "Probabilistic clock
// synchronization" (1989), bounds a clock in the same way by a request and its answer. Drift after
// the meetings is not corrected.
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

// meetings holds the times at which a rank entered and left each sum.
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

// String describes how exactly the times of different ranks can be compared.
func (c clocks) String() string {
	if c.offsets == nil {
		return "one for all ranks"
	}
	return fmt.Sprintf("one a process, compared at the start to within %v", c.within.Duration())
}
