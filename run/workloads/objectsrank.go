package workloads

import (
	"fmt"
	"math/bits"
	"runtime"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/mapping/objects"
)

// objectsRank is a rank of the ring benchmark in the terms of package lb, so that
// spmd.Drive and package sim drive and audit it like any other: units of work are nodes,
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
	return ownState(r.Rank)
}

// Reason says why the run is over.
func (r objectsRank) Reason() lb.Reason { return lb.Reason(r.Rank.Reason()) }

// Stats are the rank's counts; nobody asks and nobody refuses.
func (r objectsRank) Stats() lb.Stats {
	left, came, bytes := r.Moves()
	return lb.Stats{Expanded: r.Units(), Grants: left, Accepted: came, Bytes: bytes}
}

// Audit adds up the credits of the objects that are here. Those of all objects are the
// leaves of a binary tree that is as even as can be: of n = 2^d + k objects, k < 2^d, the
// first 2k have 2^−(d+1) each and the others 2^−d.
func (r objectsRank) Audit() (a lb.Audit) {
	d := bits.Len(uint(r.objects)) - 1
	deeper := 2 * (r.objects - 1<<d)
	r.Each(func(i int) {
		if i < deeper {
			a.Held.Add(int64(d + 1))
		} else {
			a.Held.Add(int64(d))
		}
	})
	return a
}

// Dump describes the rank.
func (r objectsRank) Dump() string { return fmt.Sprintf("objects: %v", r.Rank) }
