package simplify

// The candidates for elimination in a heap by cost. The cost of a variable is the product of the
// numbers of clauses of its two literals, which is the number of resolvents. Of variables of equal
// cost, the one with the smallest number comes first. A variable whose cost changes gets another
// entry, and its old entry is skipped at the top.

// costHeap is a binary heap of cost and variable in one number.
type costHeap struct {
	entries []uint64
	current []uint64 // by variable: its entry, or 0 if it is no candidate
}

// push makes v a candidate with a cost, or changes its cost.
func (h *costHeap) push(v int32, cost uint64) {
	entry := min(cost, 1<<31)<<32 | uint64(v+1)
	if h.current[v] == entry {
		return
	}
	h.current[v] = entry
	h.entries = append(h.entries, entry)
	for i := len(h.entries) - 1; i > 0; {
		up := (i - 1) / 2
		if h.entries[up] <= entry {
			break
		}
		h.entries[i], h.entries[up] = h.entries[up], entry
		i = up
	}
}

// popCheapest removes the candidate of the lowest cost. ok is false if there is none.
func (h *costHeap) popCheapest() (v int32, ok bool) {
	for len(h.entries) > 0 {
		entry := h.entries[0]
		h.removeTop()
		v := int32(entry&(1<<32-1)) - 1
		if h.current[v] == entry {
			h.current[v] = 0
			return v, true
		}
	}
	return 0, false
}

// removeTop removes the first entry.
func (h *costHeap) removeTop() {
	last := len(h.entries) - 1
	entry := h.entries[last]
	h.entries = h.entries[:last]
	if last == 0 {
		return
	}
	i := 0
	for down := 1; down < last; down = 2*i + 1 {
		if down+1 < last && h.entries[down+1] < h.entries[down] {
			down++
		}
		if entry <= h.entries[down] {
			break
		}
		h.entries[i] = h.entries[down]
		i = down
	}
	h.entries[i] = entry
}
