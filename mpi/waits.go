//go:build mpi

package mpi

import (
	"sync/atomic"
	"time"
)

// A rank that waits in a collective cannot observe the time itself: the call into C does not return before
// the other ranks have answered. So a goroutine observes the number of waits that have begun and ended. It makes
// no calls of MPI. Waits do not nest: a function that serves messages in a Drain makes no collective.

// waits counts the beginnings and the ends of waits: an odd number means that the rank waits.
type waits struct{ count atomic.Int64 }

// begin begins a wait. The function that it returns ends the wait.
func (w *waits) begin() (end func()) {
	w.count.Add(1)
	return func() { w.count.Add(1) }
}

// ticksOfSpan is the number of observations in a span of WatchWaits.
const ticksOfSpan = 4

// WatchWaits calls late for each collective and each Drain in which this rank has waited for the span,
// for twice the span, and so on, with the number of spans. The calls come from another goroutine, until stop
// is called. The spans are counted in ticks: a process that is stopped gets none.
func (w *World) WatchWaits(span time.Duration, late func(spans int)) (stop func()) {
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(max(span/ticksOfSpan, time.Millisecond))
		defer tick.Stop()
		seen, ticks := int64(0), 0
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				ticks++
			}
			if now := w.waits.count.Load(); now != seen {
				seen, ticks = now, 0
			}
			if seen&1 != 0 && ticks > 0 && ticks%ticksOfSpan == 0 {
				late(ticks / ticksOfSpan)
			}
		}
	}()
	return func() { close(ended) }
}
