package simplify

// lists holds short lists, one per literal, one after the other in one array. To build them,
// count their items, call carveLists, then append the items. It needs two allocations, which are
// reused.
type lists struct {
	ends  []int32 // while counting: lengths; then the current end of each list
	start []int32
	items []int32
}

// resetLists makes n empty lists.
func (s *lists) resetLists(n int) {
	s.ends = resizeSlice(s.ends, n)
	s.start = resizeSlice(s.start, n)
	clear(s.ends)
}

// countItem counts an item of list l.
func (s *lists) countItem(l lit) { s.ends[l]++ }

// carveLists ends the counting and allocates the lists.
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

// itemsOfList returns list l.
func (s *lists) itemsOfList(l lit) []int32 { return s.items[s.start[l]:s.ends[l]] }

// resizeSlice returns a slice of length n, which reuses the memory of old if possible. Its
// contents are undefined.
func resizeSlice[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
