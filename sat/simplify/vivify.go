package simplify

import "slices"

// Vivification shortens a clause by unit propagation in the other clauses. Its literals are made
// false one after the other. If a conflict follows, or another literal of the clause becomes true,
// the clause of the decisions that are needed for that is implied. A literal that becomes false by
// itself is not needed. A clause that follows from the others but cannot be shortened stays: the
// engine of sat/cdcl was slower without these clauses. A shorter clause removes the clauses that
// contain it in the next round (subsume.go).
//
// The literals are tried in the order of their frequency, and the clauses in the order of these
// literals, so that consecutive clauses share their first decisions with what follows from them.
// Clauses of two literals are used but not tried. The models stay the same. The lemmas have RUP.
//
// Source: C. Piette, Y. Hamadi, L. Saïs, Vivifying Propositional Clausal Formulae, ECAI 2008;
// C.-M. Li, F. Xiao, M. Luo, F. Manyà, Z. Lü, Y. Li, Clause Vivification by Unit Propagation in
// CDCL SAT Solvers, AIJ 279 (2020), for the clauses of the input and for the analysis; A. Biere, K.
// Fazekas, M. Fleury, M. Heisinger, CaDiCaL, Kissat, Paracooba, Plingeling and Treengeling, SAT
// Competition 2020, for the order.
type vivifier struct {
	*simplifier
	rank     []int32 // of each literal: 0 for the most frequent one
	level    []int32 // by variable with a value: number of decisions at that time
	control  []int   // by decision: length of the trail before it
	reusable int     // number of decisions that the next clause may reuse
	literal  []lit   // the clause that is tried, in order of the ranks
	seen     []bool  // by variable: the cause of the result that is analysed
	lemma    []lit
}

// scheduled is a clause to try. Clauses are tried in the order of key, the ranks of the two most
// frequent literals.
type scheduled struct {
	key    uint64
	clause int32
}

// stepsPerClause is a bound on the steps for ordering the clauses, per clause.
const stepsPerClause = 10

// vivifyClauses tries all clauses of three and more literals until the steps are used up.
func (s *simplifier) vivifyClauses() {
	p := &s.propagator
	p.buildIndex(s)
	v := &s.vivifier
	v.beginTrials(s)
	schedule := v.listClauses()
	s.work.vivify -= stepsPerClause * len(schedule)
	for _, x := range schedule {
		if s.work.vivify <= 0 || s.refuted {
			break
		}
		v.tryClause(int(x.clause))
		s.work.vivify -= p.takeSteps()
	}
	v.undoDecisions(0)
	p.ignored = noClause
	v.reusable = 0
	s.work.vivify -= p.takeSteps()
}

// beginTrials prepares the state.
func (v *vivifier) beginTrials(s *simplifier) {
	v.simplifier = s
	if v.level == nil {
		v.level = make([]int32, len(s.value)/2)
		v.seen = make([]bool, len(s.value)/2)
		v.rank = make([]int32, len(s.value))
	}
	v.rankLiterals()
}

// rankLiterals orders the literals by the number of their clauses, most frequent first.
func (v *vivifier) rankLiterals() {
	count := v.rank
	clear(count)
	for c := range v.clauses {
		if v.clauses[c].size > 2 {
			for _, l := range v.clauseLiterals(c) {
				count[l]++
			}
		}
	}
	order := make([]lit, 0, min(len(count), len(v.literals)))
	for l := range count {
		if count[l] > 0 {
			order = append(order, lit(l))
		}
	}
	slices.SortStableFunc(order, func(a, b lit) int { return int(count[b]) - int(count[a]) })
	for i, l := range order {
		v.rank[l] = int32(i)
	}
}

// listClauses returns the clauses to try in their order.
func (v *vivifier) listClauses() (schedule []scheduled) {
	for c := range v.clauses {
		if v.clauses[c].size < 3 {
			continue
		}
		first, second := uint64(1<<32-1), uint64(1<<32-1)
		for _, l := range v.clauseLiterals(c) {
			r := uint64(v.rank[l])
			first, second = min(first, r), min(second, max(first, r))
		}
		schedule = append(schedule, scheduled{first<<32 | second, int32(c)})
	}
	slices.SortFunc(schedule, func(a, b scheduled) int {
		if a.key != b.key {
			if a.key < b.key {
				return -1
			}
			return 1
		}
		return int(a.clause - b.clause)
	})
	return schedule
}

// tryClause shortens clause c if it can.
func (v *vivifier) tryClause(c int) {
	v.literal = append(v.literal[:0], v.clauseLiterals(c)...)
	slices.SortFunc(v.literal, func(a, b lit) int { return int(v.rank[a] - v.rank[b]) })
	v.reuseDecisions(c)
	if v.isTrueAtRoot() {
		return
	}
	result, pivot := v.falsifyLiterals()
	v.deriveLemma(result, pivot)
	v.inject(lemmaDerived)
	if result == inConflict {
		v.undoDecisions(len(v.control) - 1) // it was not propagated completely
	}
	if len(v.lemma) < len(v.literal) {
		v.shortenTo(c)
	}
}

// reuseDecisions undoes the decisions except the first ones that clause c would make too. It also
// undoes the decisions from which c has propagated a literal, or from which the clause that was
// ignored before c would have propagated one.
func (v *vivifier) reuseDecisions(c int) {
	keep, most := 0, min(len(v.control), v.reusable)
	for keep < most && keep < len(v.literal) && v.trail[v.control[keep]] == v.literal[keep].complement() {
		keep++
	}
	for _, l := range v.literal {
		if v.value[l] == positive && v.propagator.reason[l>>1] == int32(c) {
			keep = min(keep, int(v.level[l>>1])-1)
		}
	}
	v.undoDecisions(max(keep, 0))
	v.propagator.ignored = int32(c)
	v.reusable = len(v.literal)
}

// undoDecisions undoes all decisions except the first n.
func (v *vivifier) undoDecisions(n int) {
	if n < len(v.control) {
		v.undoTrail(v.control[n])
		v.control = v.control[:n]
	}
}

// isTrueAtRoot reports whether a literal of the clause is true without decisions.
func (v *vivifier) isTrueAtRoot() bool {
	return slices.ContainsFunc(v.literal, func(l lit) bool { return v.value[l] == positive && v.level[l>>1] == 0 })
}
