package drat

// shape finds out whether a proof is one of a tree search: most literals of a lemma are the first literals of the
// lemma before it, because both are below one path. The forward check keeps the consequences of
// these literals (lemma.go), and nearly every lemma is needed. So it takes a quarter to a half of the time of the
// backward check.
type shape struct {
	last        []int32
	shared, all int // literals
	lemmas      int
}

// shapeLemmas is the number of lemmas between two looks at the shape during a first pass.
const shapeLemmas = 1 << 14

// note notes the step that a parser has read last.
func (s *shape) note(p *parser) {
	if p.deletion {
		return
	}
	s.lemmas++
	s.all += len(p.literals)
	s.shared += commonPrefix(s.last, p.literals)
	s.last = append(s.last[:0], p.literals...)
}

// isTree reports whether the steps so far look like the proof of a tree search.
func (s *shape) isTree() bool { return 2*s.shared > s.all }

// isTreeShaped reports whether the first steps look like the proof of a tree search. It reads what the
// parser has read.
func isTreeShaped(p *parser) bool {
	sample := sampleSteps(p)
	var s shape
	for {
		if ok, err := sample.readNextStep(); !ok || err != nil {
			return s.isTree()
		}
		s.note(sample)
	}
}

// becomesTree notes a step of the first pass, and reports from time to time whether the steps so far look like the
// proof of a tree search. Such a proof may begin with other lemmas: of the simplification, or of a solver that has
// tried.
func (s *shape) becomesTree(p *parser) bool {
	s.note(p)
	return !p.deletion && s.lemmas%shapeLemmas == 0 && s.isTree()
}

// commonPrefix returns the number of first literals that two lemmas share.
func commonPrefix(a, b []int32) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
