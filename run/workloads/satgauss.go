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
// sums with short derivations. So the tree of rule cubes, and the clauses that the try of auto finds, depend
// on whether a proof is written, if the formula has parities that unit propagation does not use completely.

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

// paritiesName is the name of a field of the Identity of searches that depend on the sums of parities.
const paritiesName = "parities"

// The values of this field.
const (
	shortSums = "short"
	allSums   = "all"
)

// paritiesField returns the field of the Identity for the sums of parities that solvers use.
func (w *SAT) paritiesField() (name, value string) {
	if w.parities() == cdcl.ShortParities {
		return paritiesName, shortSums
	}
	return paritiesName, allSums
}

// describeParities returns the meaning of a value of the field, for the flags --proof and --gauss. Another text
// stays as it is.
func describeParities(value string) string {
	switch value {
	case shortSums:
		return "for short sums of parities"
	case allSums:
		return "for all sums of parities"
	case run.NotSet:
		return "for no sums of parities with an effect"
	}
	return value
}

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
