package workloads

import (
	"fmt"
	"runtime"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/mapping/objects"
	"treesplit/termination"
)

// objectsRank is a rank of the ring benchmark in the terms of package lb, so that
// spmd.DriveRank and package sim drive and audit it like any other: units of work are nodes,
// objects that move are pieces.
type objectsRank struct {
	*objects.Rank
	objects int // on all ranks
}

// Step stays on its thread, by whose clock objects are measured.
func (r objectsRank) Step(env comm.Env, limit int) int {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return r.Rank.Step(env, limit)
}

// Wake does nothing: the benchmark sets no alarm.
func (r objectsRank) Wake(comm.Env) {}

// Halt asks for the end of the run.
func (r objectsRank) Halt(env comm.Env, why lb.Reason) { r.Rank.Halt(env, int64(why)) }

// State says where the rank stands; a rank without objects that can go on waits.
func (r objectsRank) State() lb.State {
	return protocolState(r.Rank)
}

// Reason says why the run is over.
func (r objectsRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats are the rank's counts; nobody asks and nobody refuses.
func (r objectsRank) Stats() lb.Stats {
	left, came, bytes := r.MoveCounts()
	return lb.Stats{Expanded: r.ComputedUnits(), Grants: left, Accepted: came, Bytes: bytes}
}

// Audit adds up the credits of the objects that are here. Those of all objects are the
// leaves of a binary tree that is as even as possible.
func (r objectsRank) Audit() (a lb.Audit) {
	r.EachObject(func(i int) { a.Held.AddCredit(termination.EvenExponent(i, r.objects)) })
	return a
}

// Dump describes the rank.
func (r objectsRank) Dump() string { return fmt.Sprintf("objects: %v", r.Rank) }
