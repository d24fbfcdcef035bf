package run

import (
	"fmt"
	"time"

	"treesplit/mpi"
)

// The watchdog of a search (package spmd) sees ranks that stand still during the search. A rank can also be
// stopped while all ranks prepare the search, save it or gather its results. There it sends nothing that another
// rank could miss, and all other ranks wait in collective operations.

// patienceOfWaits is the number of spans of Stall for which rank 0 waits in one collective operation after the
// search has begun. Then it ends the run.
const patienceOfWaits = 5

// watchWaits observes the waits of ranks 0 and 1 in collective operations under MPI. Rank 0 warns the user after
// Stall. It ends the run later, but not before the search: a rank may prepare itself for minutes, for instance build
// tables or start a worker. Rank 0 may read, write or compute for a long time while the others wait, so rank 1
// only reports this.
func watchWaits(world *mpi.World, p Plan, h Hooks, end func(error)) (stop func()) {
	p.Ranks = world.Size()
	stall := p.longestStall().Duration()
	if stall <= 0 || world.Rank() > 1 {
		return func() {}
	}
	return world.WatchWaits(stall, func(spans int) {
		waited := time.Duration(spans) * stall
		switch {
		case world.Rank() == 0 && spans >= patienceOfWaits && h.searching.Load():
			end(fmt.Errorf("rank 0 has waited for %v in a collective operation: another rank does not answer, its process may be stopped", waited))
		case h.Warn == nil:
		case world.Rank() == 0 && spans == 1:
			h.Warn(0, fmt.Sprintf("rank 0 has waited for %v in a collective operation: another rank works for a long time, or its process is stopped", waited))
		case world.Rank() == 1 && spans == 2:
			h.Warn(1, fmt.Sprintf("rank 1 has waited for %v in a collective operation: rank 0 reads, writes or computes, or its process is stopped", waited))
		}
	})
}
