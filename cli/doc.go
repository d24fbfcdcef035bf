// Package cli is the command line: one file a verb, and what they share. Results
// go to standard output, everything else to standard error.
package cli
