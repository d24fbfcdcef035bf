package run

import "treesplit/search"

// Iterated is a Problem that may be followed by another, as the iterations of IDA*
// follow each other. All ranks hold the same one.
type Iterated interface {
	Problem
	// Next returns what is to be searched after this problem, of which all ranks
	// together have counted c, or nil if that was the last.
	Next(c Counts) Problem
	// Small reports whether the search is not worth a message: every rank had better make
	// it by itself. Rank 0 counts the nodes, the others count them as redundant.
	Small() bool
}

// followingProblem is Next where there is one.
func followingProblem(problem Problem, c Counts) Problem {
	if i, ok := problem.(Iterated); ok {
		return i.Next(c)
	}
	return nil
}

// isSmallSearch is Small where there is one.
func isSmallSearch(problem Problem) bool {
	i, ok := problem.(Iterated)
	return ok && i.Small()
}

// Step is one of the searches that an Iterated problem consists of; any other has one.
type Step struct {
	Counts  Counts
	Seconds float64
	// Witness comes from the lowest rank that has one, and is on rank 0 alone. Of an Optimising
	// problem it is the best solution found, and nil where the search has found none that is
	// better than what was known when it began.
	Witness []byte
	// Bound is the least value known of a solution of an Optimising problem, which is that
	// of Witness if there is one, or search.NoBound.
	Bound int64
}

// newEmptyStep is a step before anything is counted.
func newEmptyStep() Step { return Step{Bound: search.NoBound} }

// joinSegment adds a further segment of the step, which began with the best value known before.
func (s *Step) joinSegment(segment *tally) {
	s.Counts.addCounts(segment.Counts)
	if segment.bound < s.Bound || s.Witness == nil {
		s.Bound, s.Witness = segment.bound, segment.witness
	}
}
