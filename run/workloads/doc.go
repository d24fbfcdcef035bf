// Package workloads turns the problems of this program into workloads of package run:
// satisfiability, the sliding-tile puzzle, UTS, mapping, communicating objects, KS-BF, and trees whose
// nodes a user's program expands (workers). Package run does not know them.
package workloads
