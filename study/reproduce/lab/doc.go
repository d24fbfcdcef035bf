// Package lab runs simulated searches for the experiments of papers, many at the same time, and
// keeps their results. A Cell is one run, an Outcome its result, an Average the result of several
// runs. Knobs are the properties of the machine that the papers do not print. Costs among them were
// fitted once (docs/calibration.md). Five formulas replace the papers' own formulas, which are not
// known.
package lab
