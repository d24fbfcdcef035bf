// Package cli is the command line: one file per verb, and the code that verbs share. Results go to
// standard output, everything else to standard error.
package cli
