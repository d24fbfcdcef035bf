package simplify

// Pure literals: one whose negation occurs in no clause is made true, and the clauses
// that hold it go. No lemma is needed, since clauses are only left out.
//
// Source: M. Davis, H. Putnam, A Computing Procedure for Quantification Theory,
// J. ACM 7 (1960), rule II.

// pure fixes pure literals until there are none.
func (s *simplifier) pure() {
	count := make([]int32, len(s.value)) // clauses that hold each literal
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		for _, l := range s.clause(c) {
			count[l]++
		}
	}
	var queue []lit
	for l := range count {
		if count[l] > 0 && count[l^1] == 0 {
			queue = append(queue, lit(l))
		}
	}
	if len(queue) == 0 {
		return
	}
	var occurs lists
	occurs.reset(len(s.value))
	copy(occurs.ends, count)
	occurs.carve()
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		for _, l := range s.clause(c) {
			occurs.put(l, int32(c))
		}
	}
	s.changes++
	for ; len(queue) > 0; queue = queue[1:] {
		queue = s.purify(queue[0], queue, count, &occurs)
	}
}

// purify makes l true, unless its clauses are gone by now, and queues the literals
// that become pure with them.
func (s *simplifier) purify(l lit, queue []lit, count []int32, occurs *lists) []lit {
	if count[l] == 0 {
		return queue
	}
	s.value[l], s.value[l.not()] = positive, negative
	s.steps = append(s.steps, step{l, always})
	s.stats.Pure++
	for _, c := range occurs.of(l) {
		if s.clauses[c].size < 0 {
			continue
		}
		for _, x := range s.clause(int(c)) {
			count[x]--
			if count[x] == 0 {
				queue = append(queue, x.not())
			}
		}
		s.remove(int(c))
	}
	return queue
}
