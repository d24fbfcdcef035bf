// Package simplify rewrites a formula into a smaller one before the search. The smaller formula
// has a model exactly if the input has one. Its models can be completed to models of the input.
// Its refutation, appended to the lemmas written here, is a DRAT proof that the input has no
// model. Each technique has its own file and its own switch.
//
// Lemmas are only added to the clauses of the input. So clauses that are only removed from the
// formula (satisfied, subsumed, tautological, or with a variable that is pure or eliminated) need
// no line: a refutation of some of the clauses refutes all of them. That elimination has models which
// the input does not have makes no difference: a proof refutes, and models are completed without it.
// Deletions only save the time and the memory of a checker. They name removed lemmas, and lemmas of
// which the formula has shorter forms. Such clauses of the input are listed in the result (Obsolete).
//
// Every lemma has RUP, except the definitions of new variables that long parities need. A new
// variable is the first literal of its clauses (xor_proof.go).
//
// The result depends only on the formula and the options. Work is counted in steps, never in
// time. Requesting lemmas does not change the result.
//
// The order of the techniques follows N. Eén, A. Biere, Effective Preprocessing in SAT Through
// Variable and Clause Elimination, SAT 2005, and A. Biere, M. Järvisalo, B. Kiesl, Preprocessing
// in SAT Solving, Handbook of Satisfiability, 2nd edition, chapter 9. The files name the sources
// of the single techniques.
package simplify

import "treesplit/sat"

// Options select the techniques. With every technique off, the result is the input itself. With
// any technique on, tautologies, repeated literals and the results of unit propagation are
// removed too.
type Options struct {
	Pure       bool // pure literals; loses models
	Subsume    bool // subsumed clauses, and self-subsuming resolution
	Failed     bool // failed literals
	Equivalent bool // equivalent literals
	XOR        bool // parity constraints: elimination, and the consequences of the sums
	Eliminate  bool // bounded variable elimination by resolution; loses models
	Vivify     bool // literals that clauses do not need, by unit propagation in the other clauses

	// Lemma, if not nil, is called with each lemma in the order of the proof. A lemma without RUP
	// has RAT on its first literal. The function must not keep the slice.
	Lemma func(literals []int32)
	// Delete, if not nil, is called with lemmas that are no longer needed, never with a unit or a
	// clause of the input.
	Delete func(literals []int32)

	// MaxVariable is the largest variable of the proof so far, if it is larger than the variables of
	// the formula: MaxVariable of an earlier Result.
	MaxVariable int
	// Work bounds the steps of each technique separately. A step is about one visited literal. 0
	// is a bound in proportion to the formula, about one second for a million clauses.
	Work int
	// Lines bounds the number of lemmas for parities. Sums that would need more lemmas are
	// skipped, with and without a proof. 0 is 4,000,000.
	Lines int
}

// AllTechniques returns options with every technique, the default bounds and no proof.
func AllTechniques() Options {
	o := LookaheadTechniques()
	o.Eliminate, o.Vivify = true, true
	return o
}

// LearningTechniques returns the techniques that help a solver by conflict-driven clause learning:
// all of them.
func LearningTechniques() Options { return AllTechniques() }

// LookaheadTechniques returns the techniques that help a look-ahead solver. Elimination makes
// clauses longer and more, which look-ahead pays for at each node; vivification finds little that
// look-ahead does not find itself.
func LookaheadTechniques() Options {
	return Options{Pure: true, Subsume: true, Failed: true, Equivalent: true, XOR: true}
}

// KeepingModels returns the options without the techniques that lose models.
func (o Options) KeepingModels() Options {
	o.Pure, o.Eliminate = false, false
	return o
}

// anyTechnique reports whether a technique is switched on.
func (o *Options) anyTechnique() bool {
	return o.Pure || o.Subsume || o.Failed || o.Equivalent || o.XOR || o.Eliminate || o.Vivify
}

// Stats counts what the techniques did.
type Stats struct {
	Rounds       int // passes of all techniques; the last may have changed nothing
	Tautologies  int // clauses removed because they have two opposite literals, in the input or after substitution
	Units        int // variables fixed, by unit propagation or otherwise, except pure ones
	Pure         int // variables fixed as pure literals
	Subsumed     int // clauses removed because another clause is a subset
	Strengthened int // literals removed by self-subsuming resolution
	Failed       int // failed literals
	Equivalent   int // variables replaced by an equivalent literal
	XORs         int // parities among the clauses, at the last search for them
	Sums         int // sums of two parities computed
	XORUnits     int // variables fixed by a sum
	XORPairs     int // pairs of equivalent literals found by a sum
	XORTriples   int // sums of three variables added as clauses
	Skipped      int // consequences of sums that were skipped because their proof is too long
	Eliminated   int // variables eliminated by resolution
	Gates        int // eliminated variables that a gate defines
	Resolvents   int // clauses added by elimination
	Vivified     int // literals removed by vivification
	Lemmas       int // lines of the proof, without deletions; 0 without a proof
}

// Result is a simplified formula with the data that leads back to the input.
type Result struct {
	// Formula is the simplified formula. Its variables have the numbers of the input; fixed and
	// replaced variables do not occur. If Refuted is set, it consists of the empty clause.
	Formula *sat.Formula
	// Refuted means that the input has no model. The last lemma is then the empty clause.
	Refuted bool
	// MaxVariable is the largest variable of the proof. It is larger than Variables if lemmas
	// define new variables. Later proofs that define variables begin above it. Without a proof it
	// is Variables.
	MaxVariable int
	// Stats counts what was done.
	Stats Stats

	steps    []step
	kept     []lit
	obsolete []lit
	names    sat.Names // of the variables of steps and kept; nil: the numbers of the input
}

// RestoreModel turns a model of the simplified formula into a model of the input, in place.
// model[v-1] is the value of variable v; the values of variables that no longer occur are
// ignored. The time is proportional to the number of these variables and of the literals of the
// clauses that elimination has removed.
func (r *Result) RestoreModel(model []bool) {
	if r.names != nil {
		r.restoreSparse(model)
		return
	}
	restoreModel(r.steps, r.kept, model)
}

// Run simplifies f until no technique changes it or the steps are used up. It does not change f.
// If no technique is switched on, f is the formula of the result.
func Run(f *sat.Formula, opt Options) *Result {
	if !opt.anyTechnique() {
		return &Result{Formula: f, MaxVariable: max(f.Variables, opt.MaxVariable)}
	}
	if isSparse(f) {
		return runSparse(f, opt)
	}
	return newSimplifier(f, opt).simplifyFormula(f)
}

// simplifyFormula is Run in a new state.
func (s *simplifier) simplifyFormula(f *sat.Formula) *Result {
	s.loadFormula(f)
	s.settleUnits()
	for changed := true; changed && !s.refuted; {
		s.stats.Rounds++
		changed = s.runTechniques()
	}
	return s.makeResult(f)
}

// runTechniques runs every technique once, except techniques that have already seen the current
// formula or have used up their steps. changed reports whether a technique changed the formula.
func (s *simplifier) runTechniques() (changed bool) {
	before := s.changes
	for i, t := range [...]struct {
		on   bool
		work *int
		run  func()
	}{
		{s.opt.Equivalent, &s.work.equivalent, s.substitute},
		{s.opt.XOR, &s.work.xor, s.useParities},
		{s.opt.Subsume, &s.work.subsume, s.subsumeClauses},
		{s.opt.Failed, &s.work.failed, s.probeLiterals},
		{s.opt.Pure, &s.work.pure, s.eliminatePure},
		{s.opt.Eliminate, &s.work.eliminate, s.eliminateVariables},
		{s.opt.Vivify, &s.work.vivify, s.vivifyClauses},
	} {
		if !t.on || *t.work <= 0 || s.refuted || s.seen[i] == s.changes {
			continue
		}
		s.seen[i] = s.changes
		*t.work -= len(s.clauses) + len(s.literals)
		t.run()
		s.settleUnits()
	}
	return s.changes != before
}

// makeResult returns the result.
func (s *simplifier) makeResult(f *sat.Formula) *Result {
	r := &Result{
		Formula:     &sat.Formula{Variables: f.Variables, DNF: f.DNF},
		Refuted:     s.refuted,
		MaxVariable: s.maxVariable,
		Stats:       s.stats,
		steps:       s.steps,
		kept:        s.kept,
		obsolete:    s.obsolete,
	}
	if s.refuted {
		r.Formula.AddClause()
		return r
	}
	var clause []int32
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		clause = clause[:0]
		for _, l := range s.clauseLiterals(c) {
			clause = append(clause, l.dimacsNumber())
		}
		r.Formula.AddClause(clause...)
	}
	return r
}
