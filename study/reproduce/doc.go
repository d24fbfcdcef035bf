// Package reproduce runs the experiments of the papers on the simulated machine
// and sets what comes out beside what the papers print: one file a table or
// figure. It has the printed tables as data (printed/), the five formulas that
// stand in for the papers' own, which are not known, and the machine, whose
// unprinted costs were fitted once (docs/calibration.md). Of Sanders's papers no numbers
// are printed here: what is measured stands beside their theorems (docs/sanders.md), as
// it does of Gao and Rosenberg (docs/rings.md). Table 1 of Radhakrishnan, Brunner and Kalé
// is printed beside ours, on graphs that fit it (docs/mapping.md).
package reproduce
