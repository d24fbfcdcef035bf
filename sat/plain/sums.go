package plain

// sums holds the sums of weights that the branching rule compares, and the data from which they
// are computed. It follows assignments clause by clause: if a clause of k free literals loses one
// or is satisfied, the sums of its other literals change. To undo assignments, the sums of the
// nodes above are kept in a ring of rows. The sums of nodes further up are computed again when the
// walk goes down from there, which is rare, because a search is usually near its deepest node. Sums of
// literals that are not free have no meaning.
type sums struct {
	rule *Rule
	of   []uint32 // the sum of each literal: the row of the node at depth
	seen []truth  // the value of each literal, as far as it is included in the sums
	open []uint64 // one bit per variable, set while the variable is free
	long []length // of each longer clause

	rows   [][]uint32 // the row of depth d is rows[d%len(rows)]
	depth  int        // of the node, -1 before the root
	oldest int        // rows of nodes at depths oldest..depth are valid, except that of depth if it is stale
	stale  bool       // the row of depth has to be computed again

	// Changes of the sums, by the sum of the values of a clause's other literals. They are 0 if
	// the clause was satisfied before or has become unit.
	hit2  [8]uint32  // subtracted if a clause of two is satisfied
	hit3  [16]uint32 // subtracted if a clause of three is satisfied
	miss3 [16]uint32 // added if a clause of three loses a literal
}

// length is the state of a longer clause.
type length struct {
	size int32 // literals that are not false; complements of pure literals count as not false
	hits int32 // literals that are true
}

func newSums(r *Rule) sums {
	literals := 2 * len(r.names)
	s := sums{
		rule:  r,
		seen:  make([]truth, literals),
		open:  make([]uint64, (len(r.names)+63)/64),
		long:  make([]length, len(r.ends)-1),
		rows:  make([][]uint32, r.rows),
		depth: -1,
	}
	all := make([]uint32, len(s.rows)*literals)
	for i := range s.rows {
		s.rows[i] = all[i*literals:][:literals:literals]
	}
	for v := range r.names {
		s.open[v/64] |= 1 << (v % 64)
	}
	for c := range s.long {
		s.long[c].size = r.ends[c+1] - r.ends[c]
	}
	w2, w3 := r.weights[2], r.weights[3]
	s.hit2[free] = w2
	s.hit3[free+free], s.hit3[free+isFalse] = w3, w2
	s.miss3[free+free] = w2 - w3
	return s
}

// enterChild moves to a child of the node.
func (s *sums) enterChild() {
	if s.stale {
		s.recountSums()
		s.stale = false
	}
	above := s.of
	s.depth++
	s.of = s.rows[s.depth%len(s.rows)]
	s.oldest = max(s.oldest, s.depth-len(s.rows)+1)
	if s.depth == 0 {
		s.recountSums()
	} else {
		copy(s.of, above)
	}
}

// leaveChild moves to the parent, after all assignments of the node were released.
func (s *sums) leaveChild() {
	if s.depth--; s.depth < 0 {
		s.stale = false
		return
	}
	s.of = s.rows[s.depth%len(s.rows)]
	if s.depth < s.oldest {
		s.oldest, s.stale = s.depth, true
	}
}

// recountSums computes the sums from the start. The sums of literals that are not free have no
// meaning and may have any value.
func (s *sums) recountSums() {
	r := s.rule
	for l := range s.of {
		sum, k := uint32(0), &r.lists[l]
		for _, b := range r.binary[k.binary:k.binaryEnd] {
			sum += s.hit2[s.seen[b]&7]
		}
		for _, p := range r.ternary[k.ternary:k.ternaryEnd] {
			sum += s.hit3[(s.seen[p.a]+s.seen[p.b])&15]
		}
		for _, c := range r.long[k.long:k.longEnd] {
			if s.long[c].hits == 0 {
				sum += r.weights[s.long[c].size]
			}
		}
		s.of[l] = sum
	}
}

// assignTrail makes literals true and their complements false.
func (s *sums) assignTrail(trail []int32) {
	r, of, seen := s.rule, s.of, s.seen
	for _, l := range trail {
		s.satisfyLiteral(l)
		k := &r.lists[l^1]
		for _, p := range r.ternary[k.ternary:k.ternaryEnd] {
			x := s.miss3[(seen[p.a]+seen[p.b])&15]
			of[p.a] += x
			of[p.b] += x
		}
		for _, c := range r.long[k.long:k.longEnd] {
			k := &s.long[c]
			k.size--
			if k.hits == 0 {
				s.addToSums(c, r.weights[k.size]-r.weights[k.size+1])
			}
		}
	}
}

// satisfyLiteral makes a literal true. No clause of the complement may be open, or the caller
// handles the complement.
func (s *sums) satisfyLiteral(l int32) {
	r, of, seen := s.rule, s.of, s.seen
	k := &r.lists[l]
	for _, b := range r.binary[k.binary:k.binaryEnd] {
		of[b] -= s.hit2[seen[b]&7]
	}
	for _, p := range r.ternary[k.ternary:k.ternaryEnd] {
		x := s.hit3[(seen[p.a]+seen[p.b])&15]
		of[p.a] -= x
		of[p.b] -= x
	}
	for _, c := range r.long[k.long:k.longEnd] {
		k := &s.long[c]
		if k.hits++; k.hits == 1 {
			s.addToSums(c, -r.weights[k.size])
		}
	}
	seen[l], seen[l^1] = isTrue, isFalse
	s.open[l>>7] &^= 1 << (l >> 1 & 63)
}

// addToSums changes the sums of all literals of a longer clause.
func (s *sums) addToSums(c int32, x uint32) {
	if x == 0 {
		return
	}
	of := s.of
	for _, l := range s.rule.literals[s.rule.ends[c]:s.rule.ends[c+1]] {
		of[l] += x
	}
}

// releaseTrail undoes assignTrail, except for the sums. The literals of trail[pure:] were made
// true by satisfyLiteral only.
func (s *sums) releaseTrail(trail []int32, pure int) {
	r, seen := s.rule, s.seen
	for i, l := range trail {
		seen[l], seen[l^1] = free, free
		s.open[l>>7] |= 1 << (l >> 1 & 63)
		k := &r.lists[l]
		for _, c := range r.long[k.long:k.longEnd] {
			s.long[c].hits--
		}
		if i >= pure {
			continue
		}
		k = &r.lists[l^1]
		for _, c := range r.long[k.long:k.longEnd] {
			s.long[c].size++
		}
	}
}
