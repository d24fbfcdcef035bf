// Package reproduce lists the experiments of the papers. They run on the simulated machine and
// print their results beside the numbers of the papers. One folder has the experiments of one paper
// or author, one file per table or figure:
//
//	kumar    Kumar, Grama and Rao (docs/calibration.md)
//	sanders  both papers of Sanders (docs/sanders.md, docs/poll-and-shuffle.md)
//	rings    Gao and Rosenberg (docs/rings.md)
//	kale     Radhakrishnan, Brunner and Kalé (docs/mapping.md)
//	lab      shared by the others: simulated runs, and the knobs of the machine
//	printed  the tables that the papers print, as data
package reproduce
