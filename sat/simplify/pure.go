package simplify

// Pure literals: a literal whose negation occurs in no clause is made true, and the clauses with
// the literal are removed. No lemma is needed, because clauses are only removed.
//
// Source: M. Davis, H. Putnam, A Computing Procedure for Quantification Theory,
// J. ACM 7 (1960), rule II.

// eliminatePure fixes pure literals until none remains.
func (s *simplifier) eliminatePure() {
	count := make([]int32, len(s.value)) // number of clauses with each literal
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

// fixPureLiteral makes l true, unless its clauses have been removed, and queues the literals that
// become pure.
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
		s.deleteWritten(int(c))
		s.removeClause(int(c))
	}
	return queue
}
