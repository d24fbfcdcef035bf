package search

import "math"

// NoBound is the Bound of an Optimiser that knows of no solution.
const NoBound = math.MaxInt64

// Optimiser is a Work that looks for a solution of the least value and leaves out what
// can lead to none better than the best known: branch and bound. That value, the
// incumbent, is shared between ranks; the solution itself stays where it was found and is
// the workload's affair.
//
// The value found does not depend on how shares are split, sent and expanded, but W
// does: the sooner a good solution is met, the more is left out. A workload had better be
// able to keep its bound as it is, so that W can be compared.
type Optimiser interface {
	Work
	// Bound is the least value that the share knows of, found by itself or told by
	// Tighten, or NoBound. It never rises, and falls only in Expand, Tighten, and, for
	// shares that can, Subtask and Bisect.
	Bound() int64
	// Tighten tells that a solution of that value is known elsewhere. Values that are no
	// better than Bound change nothing, so it may come as late and as often as it will,
	// also to an empty share. It expands nothing and leaves Empty as it is; what is to be
	// left out now is so when its turn comes. O(1), or O(shares) for decorators.
	Tighten(value int64)
}

// BoundOf is the Bound of a share, or NoBound where it is no Optimiser.
func BoundOf(w Work) int64 {
	if o, ok := w.(Optimiser); ok {
		return o.Bound()
	}
	return NoBound
}

// TightenTo tells a share of a value, if it is an Optimiser.
func TightenTo(w Work, value int64) {
	if o, ok := w.(Optimiser); ok {
		o.Tighten(value)
	}
}
