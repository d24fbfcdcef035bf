package run

import (
	"fmt"

	"treesplit/lb"
	"treesplit/search"
)

// prepare checks that a problem can be run as planned and opens what it goes on from, if
// anything, where all ranks are in one process.
func prepare(p Plan, problem Problem) (*past, error) {
	if err := checkFacets(p, problem); err != nil {
		return nil, err
	}
	return openPast(p, problem)
}

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
	if _, err := optimising(problem, share); err != nil {
		return err
	}
	_, cuts := share.(search.Subtasker)
	_, bisects := share.(search.Bisecter)
	_, packs := share.(search.Packer)
	for _, f := range []struct {
		wanted, there bool
		name          string
	}{
		{lb.CutsSubtasks(p.Scheme), cuts, "search.Subtasker"},
		{lb.Deals(p.Scheme), bisects, "search.Bisecter"},
		{lb.Moves(p.Scheme) || p.Checkpoint != "" || p.Resume != "", packs, "search.Packer"},
	} {
		if f.wanted && !f.there {
			return FlagError("scheme", fmt.Errorf("%s, or a checkpoint, wants shares that are a %s: %T is none", p.Scheme, f.name, share))
		}
	}
	return nil
}
