package simplify

// The trial of one clause: the decisions, the analysis of their result, and the shorter clause.

// outcome is the result of making the literals of a clause false.
type outcome int8

const (
	undecided    outcome = iota // they can all be false
	inConflict                  // a conflict follows from some of them
	impliedTruth                // another literal of the clause becomes true, the pivot
)

// falsifyLiterals makes the literals of the clause false, in their order, until something follows
// from the other clauses.
func (v *vivifier) falsifyLiterals() (result outcome, pivot lit) {
	for _, l := range v.literal {
		switch v.value[l] {
		case positive:
			return impliedTruth, l
		case open:
			if v.decide(l.complement()) {
				return inConflict, -1
			}
		}
	}
	return undecided, -1
}

// decide makes l true and propagates it. conflict reports whether a conflict follows.
func (v *vivifier) decide(l lit) (conflict bool) {
	n := len(v.trail)
	v.control = append(v.control, n)
	v.setLiteral(l)
	v.propagator.missed = false
	conflict = v.propagator.propagate(v.simplifier, n)
	if v.propagator.missed {
		v.reusable = min(v.reusable, len(v.control)-1)
	}
	for _, x := range v.trail[n:] {
		v.level[x>>1] = int32(len(v.control))
	}
	return conflict
}

// deriveLemma sets the lemma to the negations of the decisions that lead to the result, and the
// pivot. All of them are literals of the clause.
func (v *vivifier) deriveLemma(result outcome, pivot lit) {
	v.lemma = v.lemma[:0]
	p := &v.propagator
	switch {
	case result == undecided:
		v.markCauses(v.literal, -1)
	case result == impliedTruth:
		v.lemma = append(v.lemma, pivot)
		v.markReason(pivot)
	case p.conflict == noClause:
		v.markCauses(p.pair[:], -1)
	default:
		v.markCauses(v.clauseLiterals(int(p.conflict)), -1)
	}
	end := len(v.trail)
	for i := len(v.control) - 1; i >= 0; i-- {
		v.collectLevel(v.trail[v.control[i]:end])
		end = v.control[i]
	}
}

// collectLevel replaces the marked literals of a decision's consequences by their causes. The
// decision comes first; if it is marked, its negation belongs to the lemma.
func (v *vivifier) collectLevel(trail []lit) {
	for i := len(trail) - 1; i >= 0; i-- {
		l := trail[i]
		switch {
		case !v.seen[l>>1]:
			continue
		case i == 0:
			v.lemma = append(v.lemma, l.complement())
		default:
			v.markReason(l)
		}
		v.seen[l>>1] = false
	}
}

// markReason marks the variables from which the true literal l was propagated.
func (v *vivifier) markReason(l lit) {
	if r := v.propagator.reason[l>>1]; r >= 0 {
		v.markCauses(v.clauseLiterals(int(r)), l)
	} else if from := lit(^r); v.level[from>>1] > 0 {
		v.seen[from>>1] = true
	}
}

// markCauses marks the variables of a clause that have a value by a decision, except the one of l.
func (v *vivifier) markCauses(clause []lit, l lit) {
	for _, x := range clause {
		if x != l && v.level[x>>1] > 0 {
			v.seen[x>>1] = true
		}
	}
	v.propagator.steps += len(clause)
}

// shortenTo replaces clause c by the lemma, without decisions.
func (v *vivifier) shortenTo(c int) {
	p := &v.propagator
	v.undoDecisions(0)
	p.unwatchClause(v.simplifier, c)
	v.stats.Vivified += len(v.literal) - len(v.lemma)
	v.changes++
	v.clearMarks()
	for _, l := range v.lemma {
		v.stamp[l] = v.now
	}
	v.keepMarked(c)
	p.ignored = noClause
	if len(v.lemma) > 1 {
		p.watchClause(v.simplifier, c)
		return
	}
	n := len(v.trail)
	v.checkShrunk(c)
	if !v.refuted && p.propagate(v.simplifier, n) {
		v.refuteFormula()
	}
	for _, x := range v.trail[n:] {
		v.level[x>>1] = 0
	}
}
