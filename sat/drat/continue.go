package drat

// continueForward ends a first pass whose lemmas take too much memory. It checks the steps that have been read forward,
// and then the steps that the parser still has, so that a proof in a pipe need not be read again. The current step of the
// parser has been read and not been applied. Of the deletions of missing clauses only the number is known: they count
// from the beginning.
func (b *backward) continueForward(p *parser, name string, o Options) (Report, error) {
	c := newChecker()
	c.room, c.slack = b.room, b.slack
	if err := b.copyFormula(c); err != nil {
		return Report{}, placeError(err, name, p)
	}
	c.report.Binary, c.report.Missing, c.report.Deletions = b.report.Binary, b.report.Missing, b.report.Missing
	if err := b.replaySteps(c, o); err != nil {
		return Report{}, placeError(err, name, p)
	}
	if c.report.Refusal != "" {
		return c.makeReport(), nil
	}
	if err := c.applyStep(p); err != nil {
		return Report{}, placeError(err, name, p)
	}
	if c.report.Refusal != "" {
		return c.makeReport(), nil
	}
	return c.checkSteps(p, name, o)
}

// copyFormula gives a checker the clauses of the formula.
func (b *backward) copyFormula(c *checker) error {
	c.adoptVariables(&b.checker)
	for r := ref(0); r < b.lemmas; r = b.clauseAfter(r) {
		c.setClause(b.originalLiterals(nil, r))
		if err := c.addClause(); err != nil {
			return err
		}
	}
	c.endFormula(b.ours)
	return nil
}

// clauseAfter returns the clause after r in the arena, deleted or not.
func (b *backward) clauseAfter(r ref) ref {
	return r + headerSize + ref(len(b.reasonLiterals(r)))
}

// replaySteps checks the steps that have been read.
func (b *backward) replaySteps(c *checker, o Options) error {
	var at place
	var line []literal
	rest := b.places.bytes
	for i, s := range b.steps {
		if o.interruptedAt(int64(i)) {
			return ErrInterrupted
		}
		rest = at.advance(rest)
		c.report.Step, c.report.Line, c.report.Offset = at.step, at.line, at.offset
		r := max(s, ^s)
		line = b.originalLiterals(line[:0], r)
		c.setClause(line)
		holds, err := c.applyClause(s < 0)
		if err != nil {
			return err
		}
		if !holds {
			c.report.refuse(at, unjustified(b.dimacsClause(r)))
			return nil
		}
		if o.Progress != nil && at.step%ProgressSteps == 0 {
			o.Progress(c.makeReport())
		}
	}
	return nil
}
