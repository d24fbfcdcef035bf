package drat

// variables numbers the variables that occur, in the order of their first
// occurrence, so that the checker's arrays are as long as there are variables,
// however large their numbers: 2147483647 in a proof of ten bytes costs no more
// than 1. Numbers that lie close together are looked up in an array.
type variables struct {
	near  []int32         // near[v] is the index of v plus 1, 0 where it has none here
	far   map[int32]int32 // the same for variables that lay beyond near when they came
	names []int32         // by index
}

// len is the number of variables that occur.
func (n *variables) len() int { return len(n.names) }

// find returns the index of v ≥ 1, and a new one, which is len, for a variable not
// seen before.
func (n *variables) find(v int32) int32 {
	if int(v) < len(n.near) {
		if i := n.near[v]; i != 0 {
			return i - 1
		}
	}
	if i, ok := n.far[v]; ok {
		return i
	}
	return n.enter(v)
}

// enter gives v the next index.
func (n *variables) enter(v int32) int32 {
	i := int32(len(n.names))
	n.names = append(n.names, v)
	// The array is at most a few times as long as there are variables.
	if limit := 4*len(n.names) + 1024; int(v) >= len(n.near) && int(v) < limit {
		n.near = append(n.near, make([]int32, limit-len(n.near))...)
	}
	if int(v) < len(n.near) {
		n.near[v] = i + 1
		return i
	}
	if n.far == nil {
		n.far = map[int32]int32{}
	}
	n.far[v] = i
	return i
}
