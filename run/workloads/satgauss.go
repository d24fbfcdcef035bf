package workloads

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/run"
	"treesplit/sat/cdcl"
	"treesplit/sat/portfolio"
)

// Sums of parities in the clause-learning solver (sat/cdcl/gauss.go). With a proof the solver uses only
// sums with short derivations. So the tree of rule cubes depends on whether a proof is written, if the
// formula has parities that unit propagation does not use completely.

// The values of SAT.Gauss.
const (
	GaussAuto = "auto" // while they help
	GaussOff  = "off"
)

// GaussNames lists the values of SAT.Gauss.
func GaussNames() []string { return []string{GaussAuto, GaussOff} }

// checkGauss returns an error unless the value is valid.
func (w *SAT) checkGauss() error {
	if w.Gauss != "" && !slices.Contains(GaussNames(), w.Gauss) {
		return run.FlagError("gauss", fmt.Errorf("unknown value %q: expected one of %s", w.Gauss, strings.Join(GaussNames(), ", ")))
	}
	return nil
}

// parities returns the sums of parities that solvers use.
func (w *SAT) parities() cdcl.Parities {
	if w.Gauss == GaussOff {
		return cdcl.NoParities
	}
	return cdcl.ParitiesFor(w.Proof != "")
}

// parityNames are parts of the Identity of rule cubes.
var parityNames = map[cdcl.Parities]string{cdcl.ShortParities: ", short sums of parities", cdcl.AllParities: ", sums of parities"}

// ownMaker returns the maker of the project's own solver.
func (w *SAT) ownMaker() portfolio.Maker {
	if w.Gauss == GaussOff {
		return portfolio.NewSolver
	}
	return portfolio.NewSummingSolver
}

// makerOf returns the maker of a solver of rule cdcl.
func (w *SAT) makerOf(e engine) portfolio.Maker {
	if w.engineIsOwn() {
		return w.ownMaker()
	}
	return e.make
}
