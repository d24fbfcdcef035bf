package observe

import (
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/spmd"
)

// clocks say how far each rank's clock is ahead of rank 0's, and to within what span that
// is certain. The zero value is that of ranks that have one clock.
type clocks struct {
	offsets []comm.Time
	within  comm.Time
}

// alignRounds is how often the ranks meet: some 50 µs each on one host, and the shortest
// meetings decide.
const alignRounds = 64

// alignClocks compares the clocks of all ranks with rank 0's. All ranks must call it; the
// answer is rank 0's.
//
// No rank leaves a sum over all ranks before every rank has come to it. So by a common
// clock each rank's coming is before rank 0's leaving, and rank 0's coming before each
// rank's leaving, which bounds how far a rank's clock can be ahead from both sides; what
// all meetings leave open is certain, not an estimate, as long as clocks do not drift
// meanwhile. The middle is taken. (Cristian, "Probabilistic clock synchronization", 1989,
// bounds a clock by a request and its answer in the same way.) A drift later in the run is
// not corrected.
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

// meetings are the moments at which a rank has come to each sum and left it.
type meetings struct{ Came, Left [alignRounds]comm.Time }

// compareClocks bounds the offsets of all clocks to that of the first.
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

// rankOffset is how far a rank's clock is ahead of rank 0's.
func (c clocks) rankOffset(rank int) comm.Time {
	if c.offsets == nil {
		return 0
	}
	return c.offsets[rank]
}

// String says how exact the times of different ranks are.
func (c clocks) String() string {
	if c.offsets == nil {
		return "one for all ranks"
	}
	return fmt.Sprintf("one a process, compared at the start to within %v", c.within.Duration())
}
