package drat

// isTreeShaped reports whether the first steps look like the proof of a tree search: most literals
// of a lemma are the first literals of the lemma before it, because both are below one path. The
// forward check keeps the consequences of these literals (lemma.go), and nearly every lemma is
// needed. So it takes half of the time of the backward check. It reads what the parser has read.
func isTreeShaped(p *parser) bool {
	sample := sampleSteps(p)
	var last []int32
	shared, all := 0, 0
	for {
		if ok, err := sample.readNextStep(); !ok || err != nil {
			return 2*shared > all
		}
		if sample.deletion {
			continue
		}
		all += len(sample.literals)
		shared += commonPrefix(last, sample.literals)
		last = append(last[:0], sample.literals...)
	}
}

// commonPrefix returns the number of first literals that two lemmas share.
func commonPrefix(a, b []int32) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
