package search

import "math"

// NoBound is the Bound of an Optimiser that knows of no solution.
const NoBound = math.MaxInt64

// Optimiser is a Work that looks for a solution of the least value (branch and bound). It
// prunes nodes that cannot lead to a solution better than the best known one. To find the
// greatest value, negate it. The least known value is shared between ranks; the solution
// itself stays on the rank that found it.
//
// At any time Bound is the least of three values: the value with which all new shares of the
// search begin, the values passed to Tighten, and the value of the best solution that the
// share has found itself. A share that receives a better value may keep its own solution or
// discard it. It must not report the received value as the value of its own solution.
//
// Whether a node has children may depend on Bound at the time when the node is expanded. Which
// children a node has must not depend on it, because shares with different bounds compute the
// parts of Bisect independently. These bounds include the value with which new shares begin: a
// search that is saved as parts may resume with a better one.
//
// The value found does not depend on how shares are split, sent and expanded. W does: the
// sooner a good solution is found, the more nodes are pruned. A workload should offer to keep
// its bound fixed, so that W can be compared.
type Optimiser interface {
	Work
	// Bound returns the least value that the share knows of, or NoBound. It never rises. It
	// falls only in Expand, Tighten, and, for shares that have them, Subtask and Bisect.
	Bound() int64
	// Tighten informs the share that a solution of that value is known elsewhere. A value that
	// is no better than Bound changes nothing, so Tighten may be called late and repeatedly,
	// also on an empty share. It expands nothing and does not change Empty; nodes that can be
	// pruned now are pruned when they are reached. O(1), or O(shares) for wrappers.
	Tighten(value int64)
}

// BoundOf returns the Bound of a share, or NoBound if it is no Optimiser.
func BoundOf(w Work) int64 {
	if o, ok := As[Optimiser](w); ok {
		return o.Bound()
	}
	return NoBound
}

// TightenTo informs a share of a value, if it is an Optimiser.
func TightenTo(w Work, value int64) {
	if o, ok := As[Optimiser](w); ok {
		o.Tighten(value)
	}
}
