//go:build mpi

package mpi

// #include "shim.h"
import "C"

import (
	"fmt"

	"treesplit/comm"
)

// Drain is comm.Endpoint's, by the four counters of Mattern ("Algorithms for
// distributed termination detection", 1987, section 4): rounds sum over all ranks
// the messages sent and received so far, and the first that finds both equal to
// each other and to the round before is the last. A rank counts for a round when
// it has seen the end of the one before, and the first when it enters; messages
// are served while a round is in progress.
//
// Ranks see the end of the last round one after the other. Those that do first
// may already send what belongs to the time after, so messages carry the number
// of drains that their sender has left, and such ones are kept for the next Recv.
//
// When any rank has met an error the drain ends on all of them with an error.
func (w *World) Drain(serve func(m comm.Message)) error {
	for range len(w.early) { // of the drain before: part of this one's messages
		serve(w.takeEarly())
	}
	var last [3]int64
	for first := true; ; first = false {
		failed := int64(0)
		if w.err != nil {
			failed = 1
		}
		totals, err := w.runDrainRound(serve, failed)
		switch {
		case err != nil:
			return err
		case totals[2] > 0 && w.err == nil:
			w.err = fmt.Errorf("MPI: %d other ranks have failed", totals[2])
			fallthrough
		case totals[2] > 0:
			return w.err
		case totals[0] == totals[1] && !first && totals == last:
			w.epoch++
			return nil
		}
		last = totals
	}
}

// runDrainRound sums the counters of all ranks and serves messages until that is done.
func (w *World) runDrainRound(serve func(m comm.Message), failed int64) (totals [3]int64, err error) {
	if C.ts_round(C.int64_t(w.sent), C.int64_t(w.received), C.int64_t(failed)) < 0 {
		w.recordError()
		return totals, w.err
	}
	for {
		switch C.ts_wait(waitSlice) {
		case C.TS_NOTHING:
		case C.TS_ROUND:
			for i, n := range C.ts_totals {
				totals[i] = int64(n)
			}
			return totals, nil
		case C.TS_MESSAGE:
			early := uint8(C.ts_in.epoch) != w.epoch
			var m comm.Message
			w.readMessage(&m)
			if early {
				w.early = append(w.early, m)
			} else {
				serve(m)
			}
		default:
			w.recordError()
			return totals, w.err
		}
	}
}
