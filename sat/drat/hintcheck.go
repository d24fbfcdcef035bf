package drat

import "fmt"

// checkProof checks the steps of an LRAT proof, in one pass.
func (c *hintChecker) checkProof(p *hintParser, name string, o Options) (Report, error) {
	c.report.LRAT, c.report.Binary = true, p.binary
	for {
		ok, err := p.readHintStep()
		if err == nil && ok && !c.refuted {
			err = c.applyStep(p)
		} else if ok {
			c.report.Unused++
		}
		switch {
		case err != nil:
			return Report{}, fmt.Errorf("%s%s: %w", name, p.describePlace(), err)
		case !ok && !c.refuted:
			c.report.Refusal = endsTooEarly(p.parser)
		}
		if !ok || c.report.Refusal != "" {
			return c.makeReport(), nil
		}
		if o.Progress != nil && p.step%ProgressSteps == 0 {
			o.Progress(c.makeReport())
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
		c.report.Refusal = fmt.Sprintf("%s: lemma %d has the number of another clause", p.describeStep(), p.id)
		return nil
	}
	if err := c.translate(p.literals); err != nil {
		return err
	}
	if !c.checkLemma(p.hints) {
		c.report.Refusal = fmt.Sprintf("%s: lemma %d, %s: %s", p.describeStep(), p.id, formatClause(p.literals), c.broken)
		return nil
	}
	return c.addClause(p.id)
}

// makeReport returns the report so far.
func (c *hintChecker) makeReport() Report {
	r := c.report
	r.Verified = c.refuted
	r.Extensions = int(c.variables.count) - c.ours
	r.Bytes = 4 * int64(cap(c.arena)+cap(c.near))
	return r
}
