package drat

// replay applies the steps of a part that another worker checks, without a check. Later checks then
// have the clauses, and the literals of the top level, that they have on one core. The two depend
// on a lemma only if all steps before it hold, and otherwise the result of a later check is not
// used.
//
// In the proof of a tree search most lemmas are deleted soon. If the part has the deletion too, the
// lemma is left out, with its deletion: it matters only if it is a unit at the top level before it
// is deleted. For that the top level must change. Before this happens, the lemmas that have been
// left out are added, and the remaining steps are applied one by one.
type replay struct {
	*checker
	*part
	exact int // steps from here on are applied one by one
}

// Pass applies a part without a check. It returns false if no later part has to be checked.
func (c *checker) Pass(k *part) (more bool) {
	c.growTo(k.seen)
	c.backToLevel(0)
	r := replay{c, k, len(k.steps)}
	for i := range k.steps {
		if i < r.exact && r.leavesOut(i) {
			continue
		}
		if r.replayStep(i) != nil || c.refuted {
			return false
		}
	}
	return k.err == nil
}

// leavesOut reports whether a step is left out.
func (r *replay) leavesOut(i int) bool {
	s := &r.steps[i]
	size := len(r.part.clause(i))
	switch {
	case s.deletion && s.mate != none:
		r.wasted += headerSize + size
		r.limitWaste()
		return true
	case s.deletion:
		return false
	case !r.isIdle(r.part.clause(i)):
		r.addLeftOut(i)
		return false
	}
	return s.mate != none && r.takeWords(size) == nil
}

// isIdle reports whether a clause is not a unit at the top level, which is the current level: it has
// a true literal or two free ones.
func (c *checker) isIdle(clause []literal) bool {
	free := 0
	for _, l := range clause {
		if c.values[l] == isTrue {
			return true
		}
		if free += int(c.values[l]); free == 2 {
			return true
		}
	}
	return false
}

// addLeftOut adds the lemmas that have been left out and are not deleted before step i.
func (r *replay) addLeftOut(i int) {
	r.exact = i
	for j := range i {
		if s := &r.steps[j]; !s.deletion && int(s.mate) >= i {
			r.setHashed(r.part.clause(j), s.hash)
			r.placeClause()
		}
	}
}

// replayStep applies a step.
func (r *replay) replayStep(i int) error {
	r.setHashed(r.part.clause(i), r.steps[i].hash)
	if r.steps[i].deletion {
		r.removeClause()
		return nil
	}
	err := r.addClause()
	r.propagateTop()
	return err
}
