package lab

import (
	"cmp"
	"maps"
	"slices"
)

// sortedPlaces lists the places of a grid, the longest runs first, so that all cores finish at
// about the same time. The order does not depend on the order of the map.
func sortedPlaces[V any](m map[Place]V) []Place {
	return slices.SortedFunc(maps.Keys(m), func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.P, a.P), cmp.Compare(a.Column, b.Column))
	})
}
