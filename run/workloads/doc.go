// Package workloads turns the problems of this program into workloads of package run:
// satisfiability, the sliding-tile puzzle, UTS, mapping, communicating objects and KS-BF. Package
// run does not know them.
package workloads
