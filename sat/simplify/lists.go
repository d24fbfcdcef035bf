package simplify

// lists are short lists, one for each literal, end to end in one array: count their
// lengths, call carve, then fill them. It costs two allocations, kept for reuse.
type lists struct {
	ends  []int32 // while counting: lengths; then where each list ends so far
	start []int32
	items []int32
}

// resetLists makes n empty lists.
func (s *lists) resetLists(n int) {
	s.ends = resizeSlice(s.ends, n)
	s.start = resizeSlice(s.start, n)
	clear(s.ends)
}

// countItem makes room for an item in list l.
func (s *lists) countItem(l lit) { s.ends[l]++ }

// carveLists ends the counting.
func (s *lists) carveLists() {
	total := int32(0)
	for i, n := range s.ends {
		s.start[i], s.ends[i] = total, total
		total += n
	}
	s.items = resizeSlice(s.items, int(total))
}

// appendItem appends x to list l.
func (s *lists) appendItem(l lit, x int32) {
	s.items[s.ends[l]] = x
	s.ends[l]++
}

// itemsOfList is list l.
func (s *lists) itemsOfList(l lit) []int32 { return s.items[s.start[l]:s.ends[l]] }

// resizeSlice returns a slice of length n, the old one's memory if it suffices. What it
// holds is undefined.
func resizeSlice[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
