package drat

import (
	"fmt"
	"math"
)

// checkProof checks the steps of an LRAT proof, in one pass.
func (c *hintChecker) checkProof(p *hintParser, name string, o Options) (Report, error) {
	c.report.LRAT, c.report.Binary = true, p.binary
	for {
		if o.Workers > 1 && !c.refuted && p.nextOffset() >= c.alone && c.most < math.MaxInt32-2*maxBurden {
			return c.checkTogether(p, name, o)
		}
		ok, err := p.readHintStep()
		if err == nil && ok && !c.refuted {
			err = c.applyStep(p)
		} else if ok {
			c.report.Unused++
		}
		switch {
		case err != nil:
			return Report{}, placeError(err, name, p.parser)
		case !ok && !c.refuted:
			c.report.Refusal = endsTooEarly(p.parser)
		}
		if !ok || c.report.Refusal != "" {
			return c.makeReport(), nil
		}
		if o.Progress != nil && p.step%ProgressSteps == 0 {
			o.Progress(c.makeReport())
		}
		if o.interruptedAt(p.step) {
			return Report{}, placeError(ErrInterrupted, name, p.parser)
		}
	}
}

// applyStep checks and applies one step.
func (c *hintChecker) applyStep(p *hintParser) error {
	c.report.notePlace(p.parser)
	if p.deletion {
		c.deleteClauses(p.hints)
		return nil
	}
	c.report.Lemmas++
	c.report.Checked++
	c.report.Hints += int64(len(p.hints))
	if c.find(p.id) != none {
		c.report.Refusal = p.describeStep() + ": " + takenNumber(p.id)
		return nil
	}
	if err := c.translate(p.literals); err != nil {
		return err
	}
	c.prover.arena = c.arena
	c.prover.growTo(c.variables.count)
	if !c.prover.proves(c.hintedLemma(p.hints)) {
		c.report.Refusal = p.describeStep() + ": " + c.prover.brokenLemma(p.id, p.literals)
		return nil
	}
	return c.addClause(p.id)
}

// takenNumber returns the reason for refusing a lemma.
func takenNumber(id int64) string {
	return fmt.Sprintf("lemma %d has the number of another clause", id)
}

// brokenLemma returns the reason for refusing a lemma whose hints do not prove it.
func (p *hintProver) brokenLemma(id int64, lemma []int32) string {
	return fmt.Sprintf("lemma %d, %s: %s", id, formatClause(lemma), p.broken)
}

// makeReport returns the report so far.
func (c *hintChecker) makeReport() Report {
	r := c.report
	r.Verified = c.refuted
	r.RAT += c.prover.rat
	r.Extensions = int(c.variables.count) - c.ours
	r.Bytes = 4 * int64(cap(c.arena)+cap(c.near))
	return r
}
