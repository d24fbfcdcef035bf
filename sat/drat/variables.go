package drat

// variables numbers the variables that occur from 1, in the order of their first
// occurrence, so that the checker's arrays are as long as there are variables,
// however large their numbers: 2147483647 in a proof of ten bytes costs no more
// than 1. Numbers that lie close together are looked up in an array.
type variables struct {
	near  []int32         // near[v] is the index of v, 0 where it has none here
	far   map[int32]int32 // the same for variables that lay beyond near when they came
	count int32
}

// findIndex returns the index of v ≥ 1, which is a new one for a variable not seen before.
func (n *variables) findIndex(v int32) int32 {
	if int(v) < len(n.near) && n.near[v] != 0 {
		return n.near[v]
	}
	if i, ok := n.far[v]; ok {
		return i
	}
	return n.enterVariable(v)
}

// enterVariable gives v the next index.
func (n *variables) enterVariable(v int32) int32 {
	n.count++
	// The array is at most a few times as long as there are variables.
	if limit := 4*int(n.count) + 1024; int(v) >= len(n.near) && int(v) < limit {
		n.near = append(n.near, make([]int32, limit-len(n.near))...)
	}
	if int(v) < len(n.near) {
		n.near[v] = n.count
		return n.count
	}
	if n.far == nil {
		n.far = map[int32]int32{}
	}
	n.far[v] = n.count
	return n.count
}
