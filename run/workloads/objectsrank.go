package workloads

import (
	"fmt"
	"runtime"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/mapping/objects"
	"treesplit/termination"
)

// objectsRank adapts a rank of the ring benchmark to package lb, so that spmd.DriveRank and
// package sim can drive and audit it. Units of work are nodes. Moved objects are pieces.
type objectsRank struct {
	*objects.Rank
	objects int // number of objects on all ranks
}

// Step keeps the goroutine on its thread, because the clock of the thread measures objects.
func (r objectsRank) Step(env comm.Env, limit int) int {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return r.Rank.Step(env, limit)
}

// Wake does nothing: the benchmark sets no alarm.
func (r objectsRank) Wake(comm.Env) {}

// Halt requests the end of the run.
func (r objectsRank) Halt(env comm.Env, why lb.Reason) { r.Rank.Halt(env, int64(why)) }

// State returns the state of the rank. A rank waits if none of its objects can run.
func (r objectsRank) State() lb.State {
	return protocolState(r.Rank)
}

// Reason returns the reason for the end of the run.
func (r objectsRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats returns the counts of the rank. No rank sends or refuses requests.
func (r objectsRank) Stats() lb.Stats {
	left, came, bytes := r.MoveCounts()
	return lb.Stats{Expanded: r.ComputedUnits(), Grants: left, Accepted: came, Bytes: bytes}
}

// Audit returns the sum of the credits of the objects on this rank. The credits of all objects
// are the leaves of a binary tree that is as balanced as possible.
func (r objectsRank) Audit() (a lb.Audit) {
	r.EachObject(func(i int) { a.Held.AddCredit(termination.EvenExponent(i, r.objects)) })
	return a
}

// Dump describes the rank for debugging.
func (r objectsRank) Dump() string { return fmt.Sprintf("objects: %v", r.Rank) }
