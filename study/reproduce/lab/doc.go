// Package lab runs simulated searches for the experiments of papers, many side by side, and keeps what
// they gave. A Cell is one run, an Outcome its result, an Average the result of several. Knobs are
// what the papers leave open of their machine: the costs that they do not print were fitted once
// (docs/calibration.md), and five formulas stand in for the papers' own, which are not known.
package lab
