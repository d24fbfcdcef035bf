package pace

import (
	"treesplit/comm"
	"treesplit/spmd"
)

// granularity is the time by which timers of a machine with an idle core end a wait late.
const granularity comm.Time = 100 * 1000

// noteWait notes a wait that ended late by the given time.
func noteWait(h *spmd.Honesty, late comm.Time) {
	late = max(late, 0)
	h.Waits++
	h.Overshoot += late
	h.Largest = max(h.Largest, late)
	h.CoreWait += max(late-granularity, 0)
}
