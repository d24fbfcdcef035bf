// Package sweep measures: it expands a plan (worlds × ranks × schemes × detectors ×
// instances × seeds × repeats) into runs, makes each by starting the program itself
// through a launcher, and appends one line of JSON a run to a file, with the machine, the
// versions and the environment it was measured in. A sweep that was ended, by whatever,
// goes on where it was. The same plan can be cut up into the job scripts of a cluster's
// scheduler.
package sweep
