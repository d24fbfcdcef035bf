// Package cli is the command line: one file per command, and the parts that commands share. Results
// go to standard output, everything else to standard error.
package cli
