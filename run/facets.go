package run

import (
	"fmt"

	"treesplit/lb"
	"treesplit/search"
)

// checkFacets returns an error if the shares of the problem lack an interface that the scheme
// needs. The error is an InputError.
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
	return nil
}
