package lookahead

// setLiteral makes a literal true permanently. It returns false if the literal was false.
func (w *walk) setLiteral(l int32) bool {
	if w.stamp[l] >= isTrue {
		return w.stamp[l] == isTrue
	}
	w.stamp[l], w.stamp[l^1] = isTrue, isFalse
	w.trail = append(w.trail, l)
	return true
}

// forceLiteral makes a literal true permanently that does not follow by unit propagation alone.
func (w *walk) forceLiteral(l int32) bool {
	if w.log != nil {
		w.log.WriteLemma(w.rule.Name(l))
	}
	return w.setLiteral(l)
}

// propagate assigns all consequences of the assigned literals by unit clauses. It returns false
// on a conflict. Binary clauses go first. Clauses with two remaining literals become binary
// clauses.
func (w *walk) propagate() bool {
	for w.done < len(w.trail) {
		for ; w.closed < len(w.trail); w.closed++ {
			for _, u := range w.implied[w.trail[w.closed]] {
				if !w.setLiteral(u) {
					return false
				}
			}
		}
		l := w.trail[w.done]
		w.done++
		w.long.assignLiteral(l)
		if !w.shortenTernary(l) || len(w.long.clauses) > 0 && !w.shortenLong(l) {
			return false
		}
	}
	return true
}

// shortenTernary removes a literal from the clauses of three literals.
func (w *walk) shortenTernary(l int32) bool {
	w.ternary.dropVariable(l ^ 1)
	w.ternary.dropVariable(l)
	for _, p := range w.ternary.shortenedPairs(l) {
		if !w.applyBinary(p.u, p.v) {
			return false
		}
	}
	return true
}

// shortenLong removes a literal from the longer clauses.
func (w *walk) shortenLong(l int32) bool {
	for _, c := range w.long.in[l^1] {
		if w.long.true[c] > 0 || w.long.free[c] > keen {
			continue
		}
		var left [keen]int32
		n := 0
		for _, u := range w.long.clauses[c] {
			switch s := w.stamp[u]; {
			case s == isTrue:
				n = keen + 1
			case s < isTrue && n < keen:
				left[n] = u
				n++
			}
			if n > keen {
				break
			}
		}
		if n > keen {
			continue
		}
		for _, u := range left[:n] {
			w.activateVariable(u >> 1)
		}
		switch n {
		case 0:
			return false
		case 1:
			if !w.setLiteral(left[0]) {
				return false
			}
		case 2:
			if !w.applyBinary(left[0], left[1]) {
				return false
			}
		}
	}
	return true
}

// keen is the length from which a shortened clause makes its variables active.
const keen = 4

// applyBinary handles the clause u ∨ v, whose literals are free or were assigned just now.
func (w *walk) applyBinary(u, v int32) bool {
	su, sv := w.stamp[u], w.stamp[v]
	switch {
	case su == isTrue || sv == isTrue:
		return true
	case su == isFalse:
		return w.setLiteral(v)
	case sv == isFalse:
		return w.setLiteral(u)
	}
	return w.addBinary(u, v)
}

// addBinary adds the clause u ∨ v of two free literals, unless it exists.
func (w *walk) addBinary(u, v int32) bool {
	w.activateVariable(u >> 1)
	w.activateVariable(v >> 1)
	for _, x := range w.implied[u^1] {
		if x == v {
			return true
		}
		if x == v^1 {
			return w.forceLiteral(u)
		}
	}
	for _, x := range w.implied[v^1] {
		if x == u^1 {
			return w.forceLiteral(v)
		}
	}
	w.addImplication(u^1, v)
	w.addImplication(v^1, u)
	return true
}

// addImplication notes that l implies u.
func (w *walk) addImplication(l, u int32) {
	w.implied[l] = append(w.implied[l], u)
	w.grown = append(w.grown, implication{l, u})
}

// activateVariable makes a variable a candidate for trials.
func (w *walk) activateVariable(v int32) {
	if !w.isIn[v] {
		w.isIn[v] = true
		w.active = append(w.active, v)
	}
}
