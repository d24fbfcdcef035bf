// Package workloads makes the problems of this program workloads of package run: satisfiability, the
// sliding-tile puzzle, UTS, mapping, communicating objects and KS-BF. Package run knows none of them.
package workloads
