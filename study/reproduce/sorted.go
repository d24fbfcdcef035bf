package reproduce

import (
	"cmp"
	"maps"
	"slices"
)

// sortedPlaces lists the places of a grid, the longest runs first, so that cores run
// dry together; the order does not depend on the map's.
func sortedPlaces[V any](m map[at]V) []at {
	return slices.SortedFunc(maps.Keys(m), func(a, b at) int {
		return cmp.Or(cmp.Compare(b.p, a.p), cmp.Compare(a.column, b.column))
	})
}
