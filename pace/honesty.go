package pace

import "treesplit/comm"

// Honesty measures how far ranks were from the processors that they emulate.
type Honesty struct {
	Waits     int64     // number of waits
	Overshoot comm.Time // the sum of the times by which waits ended late
	Largest   comm.Time // the largest of these times
	Behind    comm.Time // the time by which the ranks are behind their pace at the end
	CoreWait  comm.Time // the time for which the ranks could run and waited for a core
}

// granularity is the time by which timers of a machine with an idle core end a wait late.
const granularity comm.Time = 100 * 1000

// noteWait notes a wait that ended late by the given time.
func (h *Honesty) noteWait(late comm.Time) {
	late = max(late, 0)
	h.Waits++
	h.Overshoot += late
	h.Largest = max(h.Largest, late)
	h.CoreWait += max(late-granularity, 0)
}

// AddRank adds the measurements of another rank.
func (h *Honesty) AddRank(o Honesty) {
	h.Waits += o.Waits
	h.Overshoot += o.Overshoot
	h.Largest = max(h.Largest, o.Largest)
	h.Behind += o.Behind
	h.CoreWait += o.CoreWait
}

// MeanOvershoot returns the mean time by which a wait ended late.
func (h Honesty) MeanOvershoot() comm.Time { return h.Overshoot / comm.Time(max(h.Waits, 1)) }
