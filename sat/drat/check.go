// Package drat checks proofs of unsatisfiability in the DRAT format, which SAT solvers write and
// the SAT competitions require. It checks treesplit's verdict UNSATISFIABLE independently: it
// shares no code with the engines or with the rest of the project, except for reading files,
// because its purpose is to find their errors.
//
// A proof is a sequence of steps. A lemma adds a clause C to the current clauses F. C must be
// implied by unit propagation (RUP): assuming all literals of C false and propagating units
// through F gives a conflict. Otherwise C must have the RAT property on its first literal p: for
// every clause D of F with ¬p, the clause C ∪ (D \ {¬p}) is implied by unit propagation. A
// deletion removes a clause. The proof is verified when the empty clause is implied. Source:
// Wetzler, Heule and Hunt, "DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
// Proofs", SAT 2014, sections 2 and 4.
//
// As in drat-trim, and unlike in the definition, a deletion does not undo the results of unit
// propagation without assumptions: every literal that is true at the top level stays true, like a
// unit clause that no step can name. The deletion of a clause that has become such a unit is
// counted as ignored. Solvers rely on this rule: they delete the clauses that forced a literal.
// Also as in drat-trim, the deletion of a missing clause is not an error; it is counted. Repeated
// literals in a clause count once. A tautology is implied by propagation.
//
// Unlike drat-trim, the checker tries RAT only on the first literal, as the format requires.
//
// A proof is checked forward or backward. Forward, every lemma is checked, in the order of the
// proof, and the memory is proportional to the size of the clauses that are not deleted. Backward,
// the whole proof is read, and only the lemmas that the refutation needs are checked, from the last
// to the first (backward.go). A proof that holds forward holds backward. A proof that has a wrong
// lemma is verified backward if the refutation does not need the lemma: without it the remaining
// lemmas are a proof. Errors in a solver are found forward, time is saved backward.
//
// A proof in the LRAT format names for each lemma the clauses that prove it. It is checked without
// a search, in one pass (hints.go).
package drat

import (
	"fmt"
	"io"
	"iter"

	"treesplit/internal/fileio"
	"treesplit/internal/parallel"
)

// maxProof bounds the plain bytes of a proof. The bytes themselves take no memory.
var maxProof = fileio.Limit{Bytes: 1 << 40, What: "a proof"}

// Check reads a proof and reports whether it refutes the clauses. The literals of the clauses are
// DIMACS numbers: v or -v for variables v ≥ 1. Check ignores the index that clauses yields: the
// clauses have the numbers 1, 2, … of LRAT in their order. It reads each slice before it asks for
// the next one, and does not keep it. It iterates once, and once more to count if the format is
// AnyFormat, and again if it writes an LRAT proof.
//
// A DRAT proof is text ("1 -2 0", "d 1 -2 0", comments from "c" to the end of the line) or binary
// ('a' or 'd', then 2v or 2v+1 for -v in LEB128, then 0); for LRAT see hintparser.go. It is plain or
// compressed by gzip, zstd, xz or bzip2; the first bytes show the format. It may use variables that
// are not in the formula. Steps after the empty clause are read and counted, but not checked.
//
// An error means that the proof cannot be read, that Options.LRAT cannot be written, or that the check was
// interrupted. An error of the proof begins with name and the line or byte, and names the expected input. An
// invalid proof that can be read is not an error: the Report refuses it.
//
// The memory is proportional to the number of distinct variables and to the literals of the
// clauses that exist at one time, in mode Backward to the literals of all clauses. It does not
// depend on the size of a number in the proof. All sizes are bounded: a proof has up to 1 TiB of
// plain bytes, a step up to 2^25 literals and 2^25 hints, formula and proof together up to 2^25
// variables, and the lemmas that exist at one time, in mode Backward all lemmas, take up to 2 GiB.
//
// In mode Forward, if a lemma shares its first literals with the previous lemma, as in the proof of
// a tree search, its check takes the time of propagating the other literals. A RAT lemma takes a
// pass over all clauses, in mode Backward over the marked ones. LRAT takes time linear in the
// literals of the hints.
func Check(clauses iter.Seq2[int, []int32], proof io.Reader, name string, o Options) (Report, error) {
	if err := o.validate(); err != nil {
		return Report{}, err
	}
	if o.Interrupted != nil {
		o.Interrupted = parallel.OneAtATime(o.Interrupted) // the reader of the proof and the workers ask
		proof = parallel.NewInterruptibleReader(proof, o.Interrupted, ErrInterrupted)
	}
	plain, err := fileio.NewTextReader(proof, maxProof)
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", name, err)
	}
	p := newParser(plain)
	defer p.closeInput(plain)
	return checkPlain(clauses, p, name, o)
}

// closeInput closes the input when no worker reads it any more. A refused proof is not waited for: a reader may
// wait for a pipe.
func (p *parser) closeInput(in io.Closer) {
	if p.busy == nil {
		in.Close()
		return
	}
	parallel.After(p.busy, func() { in.Close() })
}

// checkPlain is Check of a proof that is not compressed.
func checkPlain(clauses iter.Seq2[int, []int32], p *parser, name string, o Options) (Report, error) {
	if o.Format == LRAT || o.Format == AnyFormat && hasHints(p, countClauses(clauses)) {
		if o.LRAT != nil {
			return Report{}, fmt.Errorf("%s: the proof is in LRAT already: expected a DRAT proof", name)
		}
		if o.Mode == Backward || o.Mode == Forward {
			return Report{}, fmt.Errorf("%s: mode %s: a proof in LRAT is checked in one pass: expected the mode auto", name, o.Mode)
		}
		c := newHintChecker()
		if err := c.loadFormula(clauses); err != nil {
			return Report{}, err
		}
		return c.checkProof(&hintParser{parser: p}, name, o)
	}
	if o.Mode == Backward || o.Mode == Auto && (o.LRAT != nil || !isTreeShaped(p)) {
		if o.goesForwardFirst() {
			return checkForwardFirst(clauses, p, name, o)
		}
		if o.Mode == Auto && o.LRAT == nil {
			p.keepInput()
		}
		r, err := newBackward().checkProof(clauses, p, name, o)
		if err != errTree {
			return r, err
		}
		p.startAgain()
	}
	return newChecker().checkProof(clauses, p, name, o)
}

// countClauses counts the clauses of the formula.
func countClauses(clauses iter.Seq2[int, []int32]) (n int64) {
	for range clauses {
		n++
	}
	return n
}

// checkProof checks a proof forward.
func (c *checker) checkProof(clauses iter.Seq2[int, []int32], p *parser, name string, o Options) (Report, error) {
	if err := c.loadClauses(clauses); err != nil {
		return Report{}, err
	}
	return c.checkSteps(p, name, o)
}

// checkSteps checks the remaining steps of a proof forward.
func (c *checker) checkSteps(p *parser, name string, o Options) (Report, error) {
	c.report.Binary = p.binary
	for {
		if o.Workers > 1 && !c.refuted && p.nextOffset() >= c.alone && c.Stays(2) {
			return c.checkTogether(p, name, o)
		}
		ok, err := p.readNextStep()
		switch {
		case err != nil:
			return Report{}, placeError(err, name, p)
		case !ok && !c.refuted:
			c.report.Refusal = endsTooEarly(p)
			return c.makeReport(), nil
		case !ok:
			return c.makeReport(), nil
		}
		if o.Progress != nil && p.step%ProgressSteps == 0 {
			o.Progress(c.makeReport())
		}
		if o.interruptedAt(p.step) {
			return Report{}, placeError(ErrInterrupted, name, p)
		}
		if c.refuted {
			c.report.Unused++
			continue
		}
		if err := c.applyStep(p); err != nil {
			return Report{}, placeError(err, name, p)
		}
		if c.report.Refusal != "" {
			return c.makeReport(), nil
		}
	}
}

// placeError adds the name of the proof and the place that was read last.
func placeError(err error, name string, p *parser) error {
	return placeErrorAt(err, name, p.binary, p.lastPlace())
}

// placeErrorAt is placeError with the last line, or of a binary proof the offset of the next byte.
func placeErrorAt(err error, name string, binary bool, at int64) error {
	return fmt.Errorf("%s%s: %w", name, formatPlace(binary, at), err)
}

// endsTooEarly returns the reason for refusing a proof that ends without the empty clause.
func endsTooEarly(p *parser) string {
	return fmt.Sprintf("the proof ends after %d steps without deriving the empty clause", p.step)
}

// loadClauses takes the formula's clauses and propagates its units.
func (c *checker) loadClauses(clauses iter.Seq2[int, []int32]) error {
	for i, clause := range clauses {
		for _, l := range clause {
			if !isLiteral(int64(l)) {
				return fmt.Errorf("clause %d of the formula has the invalid literal %d", i+1, l)
			}
		}
		if err := c.normalise(clause); err != nil {
			return err
		}
		if err := c.addClause(); err != nil {
			return err
		}
		if c.refuted {
			break
		}
	}
	c.endFormula(int(c.variables.count))
	return nil
}

// endFormula propagates the units of the formula, which has a number of variables.
func (c *checker) endFormula(variables int) {
	c.ours = variables
	c.most = min(c.most, c.words+c.room)
	c.propagateTop()
}

// makeReport returns the report so far.
func (c *checker) makeReport() Report {
	r := c.report
	r.Verified = c.refuted
	r.Extensions = int(c.variables.count) - c.ours
	r.Bytes = 4 * int64(cap(c.arena)+cap(c.spare))
	return r
}

// applyStep checks and applies one step of the proof.
func (c *checker) applyStep(p *parser) error {
	c.report.notePlace(p)
	if err := c.normalise(p.literals); err != nil {
		return err
	}
	holds, err := c.applyClause(p.deletion)
	if !holds && err == nil {
		c.report.Refusal = p.describeStep() + ": " + unjustified(p.literals)
	}
	return err
}

// applyClause deletes the current clause, or checks and adds it.
func (c *checker) applyClause(deletion bool) (holds bool, err error) {
	if deletion {
		c.report.Deletions++
		c.removeClause()
		return true, nil
	}
	c.report.Lemmas++
	c.report.Checked++
	switch c.justifyLemma() {
	case byRAT:
		c.report.RAT++
	case notAtAll:
		return false, nil
	}
	if err := c.addClause(); err != nil {
		return true, err
	}
	c.propagateTop()
	return true, nil
}

// unjustified returns the reason for refusing a lemma.
func unjustified(lemma []int32) string {
	if len(lemma) == 0 {
		return "the empty clause 0 is not implied by unit propagation"
	}
	return fmt.Sprintf("clause %s is neither implied by unit propagation nor has the RAT property on %d", formatClause(lemma), lemma[0])
}

// formatClause returns a clause as in a proof, truncated if it is long.
func formatClause(clause []int32) string {
	const most = 20
	text := ""
	for i, l := range clause {
		if i == most {
			return text + fmt.Sprintf("… 0 (%d literals)", len(clause))
		}
		text += fmt.Sprintf("%d ", l)
	}
	return text + "0"
}
