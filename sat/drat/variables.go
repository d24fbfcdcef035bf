package drat

// variables numbers the variables that occur from 1, in the order of their first occurrence. So
// the length of the checker's arrays is the number of variables, even if the variables have large
// numbers: variable 2147483647 in a proof of ten bytes costs the same memory as variable 1. Small
// variable numbers are looked up in an array.
type variables struct {
	near  []int32         // near[v] is the index of v, or 0 if v has no index here
	far   map[int32]int32 // the same for variables that were outside near when they were numbered
	count int32
}

// findIndex returns the index of v ≥ 1, which is a new index for a new variable.
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
	// The length of the array is at most a few times the number of variables.
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

// allNumbers returns the variables by index.
func (n *variables) allNumbers() []int32 {
	numbers := make([]int32, n.count+1)
	for v, i := range n.near {
		numbers[i] = int32(v)
	}
	for v, i := range n.far {
		numbers[i] = v
	}
	numbers[0] = 0
	return numbers
}
