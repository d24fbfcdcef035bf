package gen

import (
	"cmp"
	"slices"
)

// Minimal sets. A clause that contains another clause is superfluous. Families whose clauses come
// from sets of numbers remove supersets and repeated sets before they make clauses.
//
// A set is compared with the smaller sets that begin with one of its elements. The time is the
// number of these pairs times their size, which is small because few sets of the families are
// smaller than the others.

// minimalSets returns the sets that contain no other set, each once, in their order. A set is a
// sorted list of different numbers ≥ 0.
func minimalSets(sets [][]int) [][]int {
	order := distinctBySize(sets)
	kept := make([]bool, len(sets))
	byFirst := map[int][][]int{} // kept sets of smaller sizes, by their first element
	for begin := 0; begin < len(order); {
		end := begin
		for end < len(order) && len(sets[order[end]]) == len(sets[order[begin]]) {
			kept[order[end]] = !containsOneOf(sets[order[end]], byFirst)
			end++
		}
		for _, i := range order[begin:end] {
			if kept[i] {
				byFirst[sets[i][0]] = append(byFirst[sets[i][0]], sets[i])
			}
		}
		begin = end
	}
	minimal := sets[:0:0]
	for i, set := range sets {
		if kept[i] {
			minimal = append(minimal, set)
		}
	}
	return minimal
}

// distinctBySize returns the indices of the sets by size, without later copies of a set.
func distinctBySize(sets [][]int) []int {
	order := make([]int, len(sets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(sets[a]), len(sets[b])), slices.Compare(sets[a], sets[b]))
	})
	return slices.CompactFunc(order, func(a, b int) bool { return slices.Equal(sets[a], sets[b]) })
}

// containsOneOf reports whether a set contains one of the listed sets.
func containsOneOf(set []int, byFirst map[int][][]int) bool {
	for i, x := range set {
		for _, small := range byFirst[x] {
			if isSubset(small, set[i:]) {
				return true
			}
		}
	}
	return false
}

// isSubset reports whether all numbers of small occur in large. Both are sorted.
func isSubset(small, large []int) bool {
	for _, x := range small {
		i, found := slices.BinarySearch(large, x)
		if !found {
			return false
		}
		large = large[i+1:]
	}
	return true
}
