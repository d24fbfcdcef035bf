package drat

// partReader reads a DRAT proof in parts. It numbers the variables for all workers.
type partReader struct {
	*parser
	division
	names normaliser
	heads [1 << 10]int32 // by the hash of a lemma: 1 + the last step of the part
	links []int32        // by step: the step before it in the same list, as in heads
	err   error          // of reading the proof
}

// readParts adds parts until the proof or the check ends.
func (r *partReader) readParts(q *partQueue) {
	for more := true; more; {
		k := q.emptyPart()
		k.before, k.binary = r.names.variables.count, r.binary
		more = r.readPart(k)
		k.seen = r.names.variables.count
		more = q.Add(k, k.size()) && more
	}
}

// readPart reads steps. It returns false if no part follows.
func (r *partReader) readPart(k *part) (more bool) {
	clear(r.heads[:])
	r.links = r.links[:0]
	for !k.isFull(r.division) {
		ok, err := r.readNextStep()
		if !ok || err != nil {
			r.err = err
			return false
		}
		k.err = r.names.translate(r.literals)
		r.pairStep(k, k.addStep(r.parser, &r.names))
		if k.err != nil {
			return false
		}
	}
	return true
}

// pairStep finds the lemma that a deletion deletes, among the lemmas of the part before it.
func (r *partReader) pairStep(k *part, s *partStep) {
	number := int32(len(k.steps) - 1)
	head := &r.heads[s.hash%uint32(len(r.heads))]
	if !s.deletion {
		r.links = append(r.links, *head)
		*head = number + 1
		return
	}
	r.links = append(r.links, 0)
	for i := *head - 1; i >= 0; i = r.links[i] - 1 {
		lemma := &k.steps[i]
		clause := k.clause(int(i))
		if lemma.mate == none && lemma.hash == s.hash && len(clause) == len(r.names.clause) && r.names.in.hasAllLiterals(clause) {
			lemma.mate, s.mate = number, i
			return
		}
	}
}
