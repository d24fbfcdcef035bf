package lookahead

// trials is the working memory of looking ahead. No value in it is used after a Visit.
type trials struct {
	candidates []candidate
	trees      []tree  // of each literal
	first      []int32 // Tarjan's index of each literal
	index      int32
	open       []int32 // Tarjan's stack
	roots      []int32 // the literals that represent components, implied literals first
	order      []trial
	place      []int32 // the path to a tree, as places in order

	score  []float32 // of each tried literal: how much it shortens the formula
	queue  []int32   // the literals that the current trial makes true, and room for one more
	learnt []int32   // the consequences that a double look-ahead has found for its literal
	saved  []uint32  // the stamps before it
	sweep  []float32
	free   []float32 // the weights of free literals, and 0 for assigned literals
}

func newTrials(variables int) trials {
	most := 2 * min(variables, mostTried)
	return trials{
		candidates: make([]candidate, 0, variables),
		open:       make([]int32, 0, most),
		roots:      make([]int32, 0, most),
		order:      make([]trial, 0, most),
		place:      make([]int32, 0, most),
		queue:      make([]int32, variables+1),
		learnt:     make([]int32, 0, most),

		trees: make([]tree, 2*variables),
		first: make([]int32, 2*variables),
		score: make([]float32, 2*variables),
		sweep: make([]float32, 2*variables),
		free:  make([]float32, 2*variables),
		saved: make([]uint32, 2*variables),
	}
}

// lookAhead tries the candidates until no trial finds anything and a variable remains to branch
// on, or until no candidate remains, which is a solution. It returns false on a conflict.
func (w *walk) lookAhead() bool {
	for len(w.trail) < len(w.rule.names) {
		if w.ignoresWeights() {
			w.weight = w.ones
		} else {
			w.weighLiterals()
		}
		w.steps += w.rule.literals
		w.findCandidates()
		if len(w.candidates) == 0 {
			return true
		}
		if w.rule.splitting {
			w.weight = w.ones
		}
		w.orderTrials()
		if !w.runRounds() {
			return false
		}
		for _, c := range w.candidates {
			if w.canBranch(c.variable) {
				return true
			}
		}
	}
	w.candidates = w.candidates[:0]
	return true
}

// canBranch reports whether the search can branch on a variable: it is free and, if models are
// counted, in an open clause. Branching on another variable would only double the tree.
func (w *walk) canBranch(v int32) bool {
	return w.stamp[2*v] < isTrue && (!w.rule.counting || w.hasOpenClause(2*v) || w.hasOpenClause(2*v+1))
}

// hasOpenClause reports whether a clause that literal l would shorten is open. A binary clause
// that trials have found is open only if a clause of the formula is.
func (w *walk) hasOpenClause(l int32) bool {
	if len(w.ternary.shortenedPairs(l)) > 0 {
		return true
	}
	for _, u := range w.implied[l] {
		if w.stamp[u] < isTrue {
			return true
		}
	}
	for _, c := range w.long.in[l^1] {
		if w.long.true[c] == 0 {
			return true
		}
	}
	return false
}

// runRounds tries the candidates in rounds until a complete round has assigned nothing.
func (w *walk) runRounds() bool {
	base := w.beginRound()
	for i, quiet := 0, 0; quiet < len(w.order); i++ {
		if i == len(w.order) {
			i, base = 0, w.beginRound()
		}
		t := &w.order[i]
		quiet++
		if w.stamp[t.literal] >= isTrue {
			continue
		}
		before := len(w.trail)
		w.now = base + t.offset
		if !w.examineTrial(t) {
			return false
		}
		if len(w.trail) > before {
			quiet = 0
		}
	}
	return true
}

// beginRound returns the time before a round of trials.
func (w *walk) beginRound() uint32 {
	base, span := w.clock, uint32(2*len(w.order)+2)
	if base > isTrue-8*span {
		for l, s := range w.stamp {
			if s < isTrue {
				w.stamp[l] = 0
			}
		}
		base = 0
	}
	w.clock = base + span
	return base
}

// examineTrial makes a trial and applies its consequences. It returns false on a conflict.
func (w *walk) examineTrial(t *trial) bool {
	l := t.literal
	inherited := float32(0)
	alone := t.parent == none || w.stamp[t.parent] >= isTrue
	if !alone {
		inherited = w.score[t.parent]
	}
	if s := w.stamp[l]; s >= w.now {
		if s&1 != 0 {
			return w.failLiteral(l)
		}
		w.score[l] = inherited
		return true
	}
	score, ok := w.tryLiteral(l)
	if !ok {
		return w.failLiteral(l)
	}
	if score == 0 && alone && !w.rule.counting && !w.rule.splitting {
		// All clauses that the trial touches are satisfied: an autarky. A proof needs nothing
		// that follows from it, but models are lost.
		return w.setLiteral(l) && w.propagate()
	}
	score += inherited
	w.score[l] = score
	if score <= w.trigger || w.rule.splitting {
		w.trigger *= triggerDecay
		return true
	}
	if !w.doubleLookahead(l) {
		return w.failLiteral(l)
	}
	w.trigger = score
	for _, x := range w.learnt {
		if !w.applyBinary(l^1, x) {
			return false
		}
	}
	return w.propagate()
}

// failLiteral assigns a literal false and propagates. It returns false on a conflict.
func (w *walk) failLiteral(l int32) bool { return w.forceLiteral(l^1) && w.propagate() }
