//go:build mpi

package main

import (
	"runtime"

	"treesplit/comm"
)

// allocations returns the average number of allocations of an empty poll, a control message to the
// own rank and its receipt. It does not use testing.AllocsPerRun, which would add the flags of
// package testing to the program.
func allocations(tr comm.Endpoint) float64 {
	const n = 1000
	exchange := func() {
		tr.TryRecv()
		tr.Send(comm.Message{To: int32(tr.Rank()), Arg: 1})
		tr.Recv(comm.Never)
	}
	exchange()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		exchange()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / n)
}
