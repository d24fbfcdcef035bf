// Package sweep makes series of measurements. It expands a plan (worlds × ranks × schemes ×
// detectors × instances × seeds × repeats) into runs. It makes each run by starting the program
// itself through a launcher. For each run it appends one line of JSON to a file, with the machine,
// the versions and the environment of the measurement. A sweep that was ended for any reason
// resumes where it ended. The same plan can be divided into job scripts for the scheduler of a
// cluster.
package sweep
