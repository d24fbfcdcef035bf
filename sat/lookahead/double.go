package lookahead

// The double look-ahead: where a trial shortens the formula much, trials are made below
// it, since the literal may well fail if one looks closer. Whether it is worth the time
// is guessed from the score: it must be above a trigger, which rises to the score of a
// literal that was looked at without success and falls a little with every trial that is not
// followed up (Heule and van Maaren, "Effective incorporation of double look-ahead
// procedures", SAT 2007). The trigger is the path's: what comes back from a subtree does
// not change it.
//
// All stamps of the double look are later than those of the round that it is part of.
// They are wiped out after it by putting all stamps back as they were.

// triggerDecay is by how much the trigger falls.
const triggerDecay = 0.997

// doubleLookahead makes trials below literal l, whose trial has succeeded; false says that l
// fails after all.
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
			// Literals of the round before count for nothing.
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
