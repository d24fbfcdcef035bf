package simplify

// Pure literals: one whose negation occurs in no clause is made true, and the clauses
// that hold it go. No lemma is needed, since clauses are only left out.
//
// Source: M. Davis, H. Putnam, A Computing Procedure for Quantification Theory,
// J. ACM 7 (1960), rule II.

// eliminatePure fixes pure literals until there are none.
func (s *simplifier) eliminatePure() {
	count := make([]int32, len(s.value)) // clauses that hold each literal
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		for _, l := range s.clauseLiterals(c) {
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
	occurs.resetLists(len(s.value))
	copy(occurs.ends, count)
	occurs.carveLists()
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		for _, l := range s.clauseLiterals(c) {
			occurs.appendItem(l, int32(c))
		}
	}
	s.changes++
	for ; len(queue) > 0; queue = queue[1:] {
		queue = s.fixPureLiteral(queue[0], queue, count, &occurs)
	}
}

// fixPureLiteral makes l true, unless its clauses are gone by now, and queues the literals
// that become pure with them.
func (s *simplifier) fixPureLiteral(l lit, queue []lit, count []int32, occurs *lists) []lit {
	if count[l] == 0 {
		return queue
	}
	s.value[l], s.value[l.complement()] = positive, negative
	s.steps = append(s.steps, step{l, always})
	s.stats.Pure++
	for _, c := range occurs.itemsOfList(l) {
		if s.clauses[c].size < 0 {
			continue
		}
		for _, x := range s.clauseLiterals(int(c)) {
			count[x]--
			if count[x] == 0 {
				queue = append(queue, x.complement())
			}
		}
		s.removeClause(int(c))
	}
	return queue
}
