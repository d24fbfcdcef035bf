// Package simplify rewrites a formula into a smaller one before the search: one
// that has a model exactly if the input has, whose models complete to models of the
// input, and whose refutation, appended to the lemmas written here, is a DRAT proof
// that the input has none. Each technique is a file and a switch.
//
// Lemmas are only added to the input's clauses, which a checker keeps, so that what
// is only left out of the formula (satisfied, subsumed and tautological clauses, those
// with a pure literal) needs no line: a refutation of a part of the clauses refutes
// them all. Every lemma has RUP except for the definitions of variables that long
// parities need, which are new and stand first in their clauses (xor_proof.go).
//
// Everything is a function of the formula and the options. Work is counted in steps,
// never in time, and whether lemmas are asked for makes no difference to the result.
//
// The order of the steps follows N. Eén, A. Biere, Effective Preprocessing in SAT Through
// Variable and Clause Elimination, SAT 2005, and A. Biere, M. Järvisalo, B. Kiesl,
// Preprocessing in SAT Solving, Handbook of Satisfiability, 2nd edition, chapter 9. The
// files name the sources of the single techniques.
package simplify

import "treesplit/sat"

// Options says what to do. With every technique off the result is the input itself.
// With any on, tautologies, repeated literals and what unit propagation decides are
// removed too.
type Options struct {
	Pure       bool // pure literals, which lose models; nothing else does
	Subsume    bool // subsumed clauses, and self-subsuming resolution
	Failed     bool // failed literals
	Equivalent bool // equivalent literals
	XOR        bool // parities: elimination, and what follows from the sums

	// Lemma, if not nil, is called with each lemma in the order of the proof. RAT
	// holds on the first literal where RUP does not. The slice is only lent.
	Lemma func(literals []int32)
	// Delete, if not nil, is called with lemmas no longer needed: those on the
	// variables that parities define, never with a unit or a clause of the input.
	Delete func(literals []int32)

	// Work bounds the steps of each technique by itself; a step is about a literal
	// visited. 0 is a bound in proportion to the formula, about a second for a
	// million clauses.
	Work int
	// Lines bounds the lemmas that parities may take; what would need more is left
	// alone, with and without a proof. 0 is 4,000,000.
	Lines int
}

// AllTechniques is every technique, with the default bounds and without a proof.
func AllTechniques() Options {
	return Options{Pure: true, Subsume: true, Failed: true, Equivalent: true, XOR: true}
}

// Stats counts what the techniques did.
type Stats struct {
	Rounds       int // passes of all techniques; the last may have changed nothing
	Tautologies  int // clauses dropped for two opposite literals, of the input or by substitution
	Units        int // variables fixed, by unit propagation or otherwise, pure ones aside
	Pure         int // variables fixed as pure literals
	Subsumed     int // clauses dropped for a subset of them
	Strengthened int // literals removed by self-subsuming resolution
	Failed       int // failed literals
	Equivalent   int // variables replaced by an equivalent literal
	XORs         int // parities among the clauses, when last looked for
	Sums         int // sums of two parities computed
	XORUnits     int // variables fixed by a sum
	XORPairs     int // pairs of equivalent literals found by a sum
	XORTriples   int // sums of three variables added as clauses
	Skipped      int // consequences of sums left alone since their proof is too long
	Lemmas       int // lines of the proof, deletions not counted; 0 where none is wanted
}

// Result is a simplified formula and what leads back to the input.
type Result struct {
	// Formula is the simplified formula; its variables have the input's numbers, and
	// those that were fixed or replaced do not occur. If Refuted it consists of the
	// empty clause.
	Formula *sat.Formula
	// Refuted says that the input has no model. The last lemma is then the empty clause.
	Refuted bool
	// MaxVariable is the largest variable of the proof: Variables or, where lemmas
	// define new ones, more. Proofs that define their own begin above it. Without a
	// proof it is Variables.
	MaxVariable int
	// Stats counts what was done.
	Stats Stats

	steps []step
}

// RestoreModel turns a model of the simplified formula into one of the input, in place.
// model[v-1] is the value of variable v; what it holds for variables that do not occur
// any more is of no importance. It takes time in proportion to their number.
func (r *Result) RestoreModel(model []bool) { restoreModel(r.steps, model) }

// Run simplifies f until nothing changes or the work is used up. f is not changed; it
// is the result's formula where no technique is switched on.
func Run(f *sat.Formula, opt Options) *Result {
	if !(opt.Pure || opt.Subsume || opt.Failed || opt.Equivalent || opt.XOR) {
		return &Result{Formula: f, MaxVariable: f.Variables}
	}
	s := newSimplifier(f, opt)
	s.loadFormula(f)
	s.settleUnits()
	for changed := true; changed && !s.refuted; {
		s.stats.Rounds++
		changed = s.runTechniques()
	}
	return s.makeResult(f)
}

// runTechniques runs every technique once, except those that have seen this very formula or
// used up their work, and says whether any changed the formula.
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

// makeResult packs up what is left.
func (s *simplifier) makeResult(f *sat.Formula) *Result {
	r := &Result{
		Formula:     &sat.Formula{Variables: f.Variables, DNF: f.DNF},
		Refuted:     s.refuted,
		MaxVariable: s.maxVariable,
		Stats:       s.stats,
		steps:       s.steps,
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
