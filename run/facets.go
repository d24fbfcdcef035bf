package run

import (
	"fmt"

	"treesplit/lb"
	"treesplit/search"
)

// checkFacets returns an error if the shares of the problem lack an interface that the scheme
// needs, or if the scheme cannot pause the search. The error is an InputError.
func checkFacets(p Plan, problem Problem) error {
	if _, own := problem.(Protocol); own {
		return nil
	}
	share := problem.Share(p.Splitting, false)
	if _, err := asOptimising(problem, share); err != nil {
		return err
	}
	err := lb.CheckShare(p.Scheme, share)
	if err == nil && (p.Checkpoint != "" || p.Resume != "") && !search.HasCapability[search.Packer](share) {
		err = fmt.Errorf("a checkpoint needs shares that implement search.Packer: %T does not", share)
	}
	if err != nil {
		return FlagError("scheme", err)
	}
	return checkPauses(p, problem)
}

// Depositing is a Problem whose shares leave work in progress in the process if they are taken out as
// pieces. A share of the same process that takes a piece over continues this work. In another process
// the work of the piece begins again.
type Depositing interface {
	Problem
	// KeepDeposits removes the work in progress of all pieces except the given ones.
	KeepDeposits(pieces [][]byte)
	// IsPicked reports whether the program, not the user, has picked this kind of search. It is the same on
	// all ranks.
	IsPicked() bool
}

// losesDeposits reports whether the ranks would not continue their work in progress after a checkpoint
// during the search. If this work takes longer than the time between two checkpoints, the search would never
// end. picked is Depositing.IsPicked.
func losesDeposits(p Plan, problem Problem) (loses, picked bool) {
	d, ok := problem.(Depositing)
	if !ok || lb.CanKeepWork(p.Scheme) {
		return false, false
	}
	return true, d.IsPicked()
}

// losesAttempts begins a text about losesDeposits.
const losesAttempts = "after a checkpoint scheme %s does not continue the attempts of this search, but begins other ones"

// checkPauses returns an error if the search would lose its work in progress and the user has picked it. The
// error is an InputError.
func checkPauses(p Plan, problem Problem) error {
	if loses, picked := losesDeposits(p, problem); !loses || picked || p.CheckpointEvery == 0 {
		return nil
	}
	return FlagError("checkpoint-every", fmt.Errorf(losesAttempts+": expected another scheme, such as rp", p.Scheme))
}

// dropPauses removes the periodic checkpoints from the plan if the search would lose its work in progress. All
// ranks call it, and rank 0 warns the user.
func dropPauses(p *Plan, problem Problem, h Hooks, rank int) {
	if loses, _ := losesDeposits(*p, problem); !loses || p.CheckpointEvery == 0 {
		return
	}
	p.CheckpointEvery = 0
	if rank == 0 && h.Warn != nil {
		h.Warn(0, fmt.Sprintf("--checkpoint-every has no effect: "+losesAttempts+". A run that ends early is still saved", p.Scheme))
	}
}
