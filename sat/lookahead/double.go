package lookahead

// The double look-ahead: if a trial shortens the formula much, further trials are made below it,
// because the literal may fail under them. The score decides whether the further trials are worth
// their time. It must exceed a trigger. The trigger rises to the score of a literal that was
// examined without success, and falls a little with every trial that is not examined further
// (Heule and van Maaren, "Effective incorporation of double look-ahead procedures", SAT 2007).
// The trigger belongs to the path: results in a subtree do not change it after the return from
// the subtree.
//
// All stamps of the double look-ahead are later than the stamps of the current round. They are
// removed after it by restoring all stamps.

// triggerDecay is the factor by which the trigger falls.
const triggerDecay = 0.997

// doubleLookahead makes trials below literal l, whose own trial has succeeded. It returns false
// if l fails under these trials.
func (w *walk) doubleLookahead(l int32) bool {
	copy(w.saved, w.stamp)
	holds := w.tryAllBelow(l)
	copy(w.stamp, w.saved)
	return holds
}

// tryAllBelow tries all candidates while l is true.
func (w *walk) tryAllBelow(l int32) bool {
	base := w.clock
	top := base + uint32(2*len(w.order)+2)
	w.now = top
	if !w.tryUnscored(l) {
		return false
	}
	w.learnt = w.learnt[:0]
	for i, quiet := 0, 0; quiet < len(w.order); i++ {
		if i == len(w.order) {
			i = 0
			// Literals of the previous round do not count.
			for x, s := range w.stamp {
				if s < top {
					w.stamp[x] = 0
				}
			}
		}
		t := &w.order[i]
		x := t.literal
		quiet++
		s := w.stamp[x]
		if s >= top {
			continue
		}
		if w.now = base + t.offset; s >= w.now && s&1 == 0 {
			continue
		}
		if s < w.now {
			if w.tryUnscored(x) {
				continue
			}
		}
		if w.log != nil {
			w.log.WriteLemma(w.rule.Name(l^1), w.rule.Name(x^1))
		}
		w.learnt = append(w.learnt, x^1)
		quiet, w.now = 0, top
		if !w.tryUnscored(x ^ 1) {
			return false
		}
	}
	return true
}
