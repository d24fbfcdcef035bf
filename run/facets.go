package run

import (
	"fmt"

	"treesplit/lb"
	"treesplit/search"
)

// checkFacets refuses a scheme that asks more of shares than those of the problem can do;
// the error is an InputError.
func checkFacets(p Plan, problem Problem) error {
	if _, own := problem.(Protocol); own {
		return nil
	}
	if _, later := problem.(Settled); later { // has no shares yet
		return nil
	}
	share := problem.Share(p.Splitting, false)
	if _, err := asOptimising(problem, share); err != nil {
		return err
	}
	err := lb.CheckShare(p.Scheme, share)
	if err == nil && (p.Checkpoint != "" || p.Resume != "") && !search.HasCapability[search.Packer](share) {
		err = fmt.Errorf("a checkpoint wants shares that are a search.Packer: %T is none", share)
	}
	if err != nil {
		return FlagError("scheme", err)
	}
	return nil
}
