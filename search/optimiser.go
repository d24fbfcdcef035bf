package search

import "math"

// NoBound is the Bound of an Optimiser that knows of no solution.
const NoBound = math.MaxInt64

// Optimiser is a Work that looks for a solution of the least value and leaves out what
// can lead to none better than the best known: branch and bound. A search for the greatest
// value negates it. The least value known, the incumbent, is shared between ranks; the
// solution stays where it was found.
//
// At any time Bound is the least of three values: the one that all new shares of the search
// begin with, the values told by Tighten, and the value of the best solution that the share has found
// itself. A share that is told a better value may keep its own solution or give it up, but
// must not take the value for its own.
//
// Whether a node has children may depend on Bound when it is expanded. Which children a node
// has must not: shares with other bounds find the parts of Bisect by themselves.
//
// The value found does not depend on how shares are split, sent and expanded, but W
// does: the sooner a good solution is met, the more is left out. A workload had better be
// able to keep its bound as it is, so that W can be compared.
type Optimiser interface {
	Work
	// Bound returns the least value that the share knows of, or NoBound. It never rises, and
	// falls only in Expand, Tighten, and, for shares that can, Subtask and Bisect.
	Bound() int64
	// Tighten tells that a solution of that value is known elsewhere. Values that are no
	// better than Bound change nothing, so it may come as late and as often as it will,
	// also to an empty share. It expands nothing and leaves Empty as it is; what is to be
	// left out now is so when its turn comes. O(1), or O(shares) for wrappers.
	Tighten(value int64)
}

// BoundOf is the Bound of a share, or NoBound where it is no Optimiser.
func BoundOf(w Work) int64 {
	if o, ok := As[Optimiser](w); ok {
		return o.Bound()
	}
	return NoBound
}

// TightenTo tells a share of a value, if it is an Optimiser.
func TightenTo(w Work, value int64) {
	if o, ok := As[Optimiser](w); ok {
		o.Tighten(value)
	}
}
