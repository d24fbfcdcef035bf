package run

import "treesplit/search"

// Iterated is a Problem that may be followed by another problem, as the iterations of IDA* follow
// each other. All ranks hold the same problem.
type Iterated interface {
	Problem
	// Next returns the problem to search after this problem, or nil if this problem is the last.
	// c are the counts of all ranks together.
	Next(c Counts) Problem
	// Small reports whether the search is too small to be worth a message, so that every rank
	// should search it alone. Rank 0 counts the nodes; the other ranks count them as redundant.
	Small() bool
}

// followingProblem calls Next if the problem has it, and otherwise returns nil.
func followingProblem(problem Problem, c Counts) Problem {
	if i, ok := problem.(Iterated); ok {
		return i.Next(c)
	}
	return nil
}

// isSmallSearch calls Small if the problem has it, and otherwise returns false.
func isSmallSearch(problem Problem) bool {
	i, ok := problem.(Iterated)
	return ok && i.Small()
}

// Step is one search of an Iterated problem, or the one search of another problem.
type Step struct {
	Counts  Counts
	Named   NamedCounts // of a NamedCounting problem, on rank 0 only
	Seconds float64
	// Witness is the witness of the lowest rank that has one. It is on rank 0 only. For an
	// Optimising problem it is the best solution found, or nil if no solution is better than the
	// value known when the search began.
	Witness []byte
	// Bound is the least known value of a solution of an Optimising problem, and otherwise
	// search.NoBound. It is the value of Witness if there is a witness.
	Bound int64
	// Stopped means that the run was ended early during the step: a part of the step may not be searched.
	Stopped bool
}

// newEmptyStep returns a step without counts.
func newEmptyStep() Step { return Step{Bound: search.NoBound} }

// joinSegment adds another segment of the step. The segment began with the best value known
// before it.
func (s *Step) joinSegment(segment *tally) {
	s.Counts.addCounts(segment.Counts)
	s.Named.addNamedCounts(segment.named)
	if segment.bound < s.Bound || s.Witness == nil {
		s.Bound, s.Witness = segment.bound, segment.witness
	}
}
