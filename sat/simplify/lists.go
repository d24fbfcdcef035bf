package simplify

// lists are short lists, one for each literal, end to end in one array: count their
// lengths, call carve, then fill them. It costs two allocations, kept for reuse.
type lists struct {
	ends  []int32 // while counting: lengths; then where each list ends so far
	start []int32
	items []int32
}

// reset makes n empty lists.
func (s *lists) reset(n int) {
	s.ends = resize(s.ends, n)
	s.start = resize(s.start, n)
	clear(s.ends)
}

// count makes room for an item in list l.
func (s *lists) count(l lit) { s.ends[l]++ }

// carve ends the counting.
func (s *lists) carve() {
	total := int32(0)
	for i, n := range s.ends {
		s.start[i], s.ends[i] = total, total
		total += n
	}
	s.items = resize(s.items, int(total))
}

// put appends x to list l.
func (s *lists) put(l lit, x int32) {
	s.items[s.ends[l]] = x
	s.ends[l]++
}

// of is list l.
func (s *lists) of(l lit) []int32 { return s.items[s.start[l]:s.ends[l]] }

// resize returns a slice of length n, the old one's memory if it suffices. What it
// holds is undefined.
func resize[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
