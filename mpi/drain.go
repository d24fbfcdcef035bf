//go:build mpi

package mpi

// #include "shim.h"
import "C"

import (
	"fmt"

	"treesplit/comm"
)

// Drain implements comm.Endpoint. It uses the four counters of Mattern ("Algorithms for distributed
// termination detection", 1987, section 4). Rounds sum over all ranks the numbers of messages sent
// and received so far. The drain ends with the first round in which both sums equal each other and
// the sums of the round before. A rank enters the first round when it calls Drain, and each later
// round when it has seen the end of the round before. It serves messages while a round is in
// progress.
//
// Ranks see the end of the last round one after the other. A rank that has seen it may already send
// messages that belong to the time after the drain. Every message therefore carries the number of
// drains that its sender has left, and a message from after the drain is kept for the next Recv.
//
// If any rank has met an error, the drain ends on all ranks with an error.
func (w *World) Drain(serve func(m comm.Message)) error {
	for range len(w.early) { // sent after the drain before: part of this drain's messages
		serve(w.takeEarly())
	}
	defer w.waits.begin()()
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

// runDrainRound sums the counters of all ranks and serves messages until the sum is complete.
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
