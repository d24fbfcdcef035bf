package plain

// sums are the sums of weights that the branching rule compares, and what they depend
// on. They are kept up to date clause by clause: where a clause of k free literals loses
// one or is satisfied, the sums of the others change. An assignment is taken back by
// undoing the same changes in reverse order. Sums of literals that are not free mean
// nothing, and are restored like the others.
type sums struct {
	rule *Rule
	of   []uint32 // the sum of each literal
	seen []truth  // the value of each literal, as far as sums know
	open []uint64 // a bit for each variable, set while it is free
	long []length // of each longer clause
	up   deltas   // what assignments take off or add
	down deltas   // the opposite
}

// length is the state of a longer clause.
type length struct {
	size int32 // literals that are not false, those false as complements of pure ones aside
	hits int32 // literals that are true
}

// deltas are the changes of the sums of a clause's other literals when one gets a
// value, by the sum of the values that the others have; 0 where the clause was
// satisfied before or has become unit.
type deltas struct {
	hit2  [8]uint32  // a clause of two is satisfied
	hit3  [16]uint32 // a clause of three is satisfied
	miss3 [16]uint32 // a clause of three loses a literal
}

func newSums(r *Rule) sums {
	s := sums{
		rule: r,
		of:   append([]uint32(nil), r.sums...),
		seen: make([]truth, len(r.sums)),
		open: make([]uint64, (len(r.names)+63)/64),
		long: make([]length, len(r.ends)-1),
	}
	for v := range r.names {
		s.open[v/64] |= 1 << (v % 64)
	}
	for c := range s.long {
		s.long[c].size = r.ends[c+1] - r.ends[c]
	}
	w2, w3 := r.weights[2], r.weights[3]
	s.up.hit2[free], s.down.hit2[free] = -w2, w2
	s.up.hit3[free+free], s.down.hit3[free+free] = -w3, w3
	s.up.hit3[free+isFalse], s.down.hit3[free+isFalse] = -w2, w2
	s.up.miss3[free+free], s.down.miss3[free+free] = w2-w3, w3-w2
	return s
}

// assign makes a literal true.
func (s *sums) assign(l int32) {
	s.satisfy(l)
	s.miss(l^1, &s.up)
	for _, c := range s.rule.long.of(l ^ 1) {
		k := &s.long[c]
		k.size--
		if k.hits == 0 {
			s.add(c, s.rule.weights[k.size]-s.rule.weights[k.size+1])
		}
	}
}

// retract takes back assign.
func (s *sums) retract(l int32) {
	for _, c := range s.rule.long.of(l ^ 1) {
		k := &s.long[c]
		k.size++
		if k.hits == 0 {
			s.add(c, s.rule.weights[k.size]-s.rule.weights[k.size-1])
		}
	}
	s.seen[l], s.seen[l^1] = free, free
	s.miss(l^1, &s.down)
	s.reopen(l)
}

// satisfy makes a literal true of whose complement no clause is open: a pure one, or one
// whose complement is seen to apart.
func (s *sums) satisfy(l int32) {
	s.hit(l, &s.up)
	for _, c := range s.rule.long.of(l) {
		k := &s.long[c]
		if k.hits++; k.hits == 1 {
			s.add(c, -s.rule.weights[k.size])
		}
	}
	s.seen[l], s.seen[l^1] = isTrue, isFalse
	s.open[l>>7] &^= 1 << (l >> 1 & 63)
}

// reopen takes back satisfy.
func (s *sums) reopen(l int32) {
	s.seen[l], s.seen[l^1] = free, free
	s.open[l>>7] |= 1 << (l >> 1 & 63)
	for _, c := range s.rule.long.of(l) {
		k := &s.long[c]
		if k.hits--; k.hits == 0 {
			s.add(c, s.rule.weights[k.size])
		}
	}
	s.hit(l, &s.down)
}

// hit changes the sums for the short clauses that l is in and satisfies.
func (s *sums) hit(l int32, d *deltas) {
	of, seen := s.of, s.seen
	for _, b := range s.rule.binary.of(l) {
		of[b] += d.hit2[seen[b]&7]
	}
	for _, p := range s.rule.ternary.of(l) {
		x := d.hit3[(seen[p.a]+seen[p.b])&15]
		of[p.a] += x
		of[p.b] += x
	}
}

// miss changes the sums for the clauses of three that l is in and leaves.
func (s *sums) miss(l int32, d *deltas) {
	of, seen := s.of, s.seen
	for _, p := range s.rule.ternary.of(l) {
		x := d.miss3[(seen[p.a]+seen[p.b])&15]
		of[p.a] += x
		of[p.b] += x
	}
}

// add changes the sums of all literals of a longer clause.
func (s *sums) add(c int32, x uint32) {
	if x == 0 {
		return
	}
	for _, l := range s.rule.literals[s.rule.ends[c]:s.rule.ends[c+1]] {
		s.of[l] += x
	}
}
