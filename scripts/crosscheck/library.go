package main

import (
	"fmt"
	"slices"

	"treesplit/sat"
	"treesplit/sat/cadical"
	"treesplit/sat/cdcl"
)

// compareLibrary gives the calls of a task to CaDiCaL's library, if the program has it. The results
// must be the same, and the assumptions that fail there must refute the formula in sat/cdcl.
func (c *checker) compareLibrary(f *sat.Formula, assumed []int32, under, free cdcl.Status) error {
	if !cadical.Available() {
		return nil
	}
	s, err := cadical.New(cadical.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	s.AddFormula(f)
	s.Assume(assumed...)
	if other := s.Solve(cdcl.NoLimit); other != under {
		return fmt.Errorf("under assumptions %d: %v, but CaDiCaL returns %v", assumed, under, other)
	}
	if err := c.checkLibraryFailed(f, s, assumed, under); err != nil {
		return err
	}
	if other := s.Solve(cdcl.NoLimit); other != free {
		return fmt.Errorf("%v, but CaDiCaL returns %v", free, other)
	}
	c.compared++
	return nil
}

// checkLibraryFailed checks the assumptions that failed in CaDiCaL, or its model.
func (c *checker) checkLibraryFailed(f *sat.Formula, s *cadical.Solver, assumed []int32, status cdcl.Status) error {
	if status == cdcl.Satisfiable {
		return withUnits(f, assumed).CheckModel(s.Model(f.Variables))
	}
	for _, l := range s.Failed() {
		if !slices.Contains(assumed, l) {
			return fmt.Errorf("%d failed in CaDiCaL, but is not assumed", l)
		}
	}
	again := cdcl.New(cdcl.Options{})
	again.AddFormula(f)
	again.Assume(s.Failed()...)
	if other := again.Solve(cdcl.NoLimit); other != cdcl.Unsatisfiable {
		return fmt.Errorf("%v with the assumptions %d that failed in CaDiCaL", other, s.Failed())
	}
	return nil
}
