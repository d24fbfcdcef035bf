package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/drat"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// checker checks tasks and counts the checks.
type checker struct {
	judges *ruletest.Judges
	absent []string // programs that are not installed
	counts
}

// counts are the numbers of checks by kind, and their times.
type counts struct {
	formulas, known                      int
	satisfiable, refuted                 int // without assumptions
	underSatisfiable, underRefuted       int // under assumptions
	failed, assumed                      int // assumptions of refuted calls
	compared                             int // formulas that CaDiCaL's library decided too
	hinted                               int // proofs that were checked by their hints too
	lemmas, conflicts                    int64
	matrices                             int64 // of parities
	solving, proving, judging, comparing time.Duration
}

// newChecker returns a checker that writes files for the judges into a directory.
func newChecker(dir string) *checker {
	judges, absent := ruletest.FindJudges(dir)
	return &checker{judges: judges, absent: absent}
}

// measure adds the time of a step to a sum.
func measure(sum *time.Duration, step func() error) error {
	began := time.Now()
	err := step()
	*sum += time.Since(began)
	return err
}

// checkTask checks one formula in all ways.
func (c *checker) checkTask(rng *rand.Rand, t task) error {
	c.formulas++
	p := newPair(t.formula, drawOptions(rng))
	var assumed []int32
	var under cdcl.Status
	for range 1 + rng.IntN(3) {
		assumed = drawAssumptions(rng, t.formula.Variables)
		var err error
		under, err = c.checkCall(p, assumed)
		c.countAssumed(under, len(assumed), len(p.solver.Failed()))
		if err != nil {
			return blame(withUnits(t.formula, assumed), fmt.Errorf("under assumptions %d: %w", assumed, err))
		}
	}
	free, err := c.checkCall(p, nil)
	c.countFree(free)
	if err == nil {
		err = errors.Join(c.checkAnswers(t, under, free), c.checkAllSums(t.formula, free))
	}
	if err != nil {
		return blame(t.formula, err)
	}
	c.conflicts += p.solver.Stats().Conflicts
	c.matrices += p.solver.Stats().Matrices
	if err := measure(&c.comparing, func() error { return c.compareLibrary(t.formula, assumed, under, free) }); err != nil {
		return blame(withUnits(t.formula, assumed), err)
	}
	return measure(&c.judging, func() error {
		return errors.Join(
			blame(t.formula, c.judges.ExpectVerdict(t.formula, free == cdcl.Satisfiable)),
			blame(t.formula, c.judges.ExpectVerdict(withUnits(t.formula, assumed), under == cdcl.Satisfiable)),
		)
	})
}

// finishJudging judges the remaining formulas.
func (c *checker) finishJudging() error {
	return measure(&c.judging, func() error { return blame(&sat.Formula{}, c.judges.FinishJudging()) })
}

// checkAnswers compares the two results of a formula with each other and with the known answer.
func (c *checker) checkAnswers(t task, under, free cdcl.Status) error {
	if under == cdcl.Satisfiable && free != cdcl.Satisfiable {
		return fmt.Errorf("%v, but satisfiable under assumptions", free)
	}
	if t.known == gen.Open {
		return nil
	}
	c.known++
	if (t.known == gen.Satisfiable) != (free == cdcl.Satisfiable) {
		return fmt.Errorf("%v, but it is known to be %v", free, t.known)
	}
	return nil
}

// checkAllSums compares a result with a solver that uses all sums of parities, whose lemmas need not follow
// from the clauses alone.
func (c *checker) checkAllSums(f *sat.Formula, free cdcl.Status) error {
	s := cdcl.New(cdcl.Options{Parities: cdcl.AllParities})
	s.AddFormula(f)
	began := time.Now()
	status := s.Solve(cdcl.NoLimit)
	c.solving += time.Since(began)
	if status != free {
		return fmt.Errorf("%v, but %v with all sums of parities", free, status)
	}
	if status == cdcl.Satisfiable {
		return f.CheckModel(s.Model(f.Variables))
	}
	return nil
}

// pair is a solver with its formula and the text of its proof.
type pair struct {
	formula *sat.Formula
	options cdcl.Options
	solver  *cdcl.Solver
	proof   recorder
}

// drawOptions draws the options of a solver with a proof.
func drawOptions(rng *rand.Rand) cdcl.Options {
	return cdcl.Options{
		Seed:     uint64(rng.IntN(3)),
		Hints:    rng.IntN(2) == 0,
		Parities: pick(rng, []cdcl.Parities{cdcl.NoParities, cdcl.ShortParities}),
	}
}

// newPair returns a solver with the clauses of a formula.
func newPair(f *sat.Formula, o cdcl.Options) *pair {
	p := &pair{formula: f, options: o}
	o.Proof = &p.proof
	p.solver = cdcl.New(o)
	p.solver.AddFormula(f)
	return p
}

// checkCall decides the formula under assumptions and checks the result. Calls with a limit of
// conflicts come first, because a search that is resumed must give the same answer.
func (c *checker) checkCall(p *pair, assumed []int32) (status cdcl.Status, err error) {
	began := time.Now()
	for limit := int64(20); status == cdcl.Unknown; limit *= 2 {
		p.solver.Assume(assumed...)
		status = p.solver.Solve(limit)
	}
	c.solving += time.Since(began)
	if status == cdcl.Satisfiable {
		return status, withUnits(p.formula, assumed).CheckModel(p.solver.Model(p.formula.Variables))
	}
	return status, c.checkFailed(p, assumed, slices.Clone(p.solver.Failed()))
}

// countFree counts a result without assumptions.
func (c *checker) countFree(status cdcl.Status) {
	if status == cdcl.Satisfiable {
		c.satisfiable++
	} else {
		c.refuted++
	}
}

// countAssumed counts a result under assumptions.
func (c *checker) countAssumed(status cdcl.Status, assumed, failed int) {
	if status == cdcl.Satisfiable {
		c.underSatisfiable++
		return
	}
	c.underRefuted++
	c.assumed += assumed
	c.failed += failed
}

// checkFailed checks that the failed assumptions are assumptions, that the proof so far refutes
// them together with the formula, and that a new solver refutes them as unit clauses. Without
// failed assumptions the proof must end with the empty clause.
func (c *checker) checkFailed(p *pair, assumed, failed []int32) error {
	for _, l := range failed {
		if !slices.Contains(assumed, l) {
			return fmt.Errorf("%d failed, but is not assumed", l)
		}
	}
	if len(failed) == 0 {
		return c.checkRefutation(p)
	}
	with := withUnits(p.formula, failed)
	refuted := append(slices.Clip(p.proof.drat.Bytes()), "0\n"...)
	if err := c.checkProof(with, refuted); err != nil {
		return err
	}
	again := newPair(with, p.options)
	began := time.Now()
	status := again.solver.Solve(cdcl.NoLimit)
	c.solving += time.Since(began)
	if status != cdcl.Unsatisfiable {
		return fmt.Errorf("with the failed assumptions %d as clauses a new solver returns %v", failed, status)
	}
	return c.checkRefutation(again)
}

// checkRefutation checks that the proof of a solver refutes its formula, and that the hints prove the lemmas.
func (c *checker) checkRefutation(p *pair) error {
	err := c.checkProof(p.formula, p.proof.drat.Bytes())
	if err != nil || !p.options.Hints {
		return err
	}
	c.hinted++
	return measure(&c.proving, func() error {
		report, err := drat.Check(p.formula.Clauses(), bytes.NewReader(p.proof.lrat.Bytes()), "proof with hints", drat.Options{Format: drat.LRAT})
		if err == nil && (!report.Verified || report.RAT > 0) {
			err = fmt.Errorf("the proof with hints is not accepted: %+v", report)
		}
		return err
	})
}

// checkProof checks that the lines refute a formula.
func (c *checker) checkProof(f *sat.Formula, lines []byte) error {
	return measure(&c.proving, func() error {
		report, err := drat.Check(f.Clauses(), bytes.NewReader(lines), "proof", drat.Options{})
		c.lemmas += report.Lemmas
		if err == nil && (!report.Verified || report.RAT > 0 || report.Missing > 0) {
			err = fmt.Errorf("the proof is not accepted: %+v", report)
		}
		return err
	})
}

// recorder keeps a proof as text: drat in DRAT, and lrat in LRAT, where the lemmas have no hints unless the
// solver gives them.
type recorder struct{ drat, lrat bytes.Buffer }

func (r *recorder) AddLemma(id uint64, clause []int32, hints []uint64) {
	writeNumbers(&r.drat, clause)
	r.drat.WriteByte('\n')
	fmt.Fprintf(&r.lrat, "%d ", id)
	writeNumbers(&r.lrat, clause)
	r.lrat.WriteByte(' ')
	writeNumbers(&r.lrat, hints)
	r.lrat.WriteByte('\n')
}

func (r *recorder) DeleteClause(id uint64, clause []int32) {
	r.drat.WriteString("d ")
	writeNumbers(&r.drat, clause)
	r.drat.WriteByte('\n')
	fmt.Fprintf(&r.lrat, "%d d %d 0\n", id, id)
}

// writeNumbers writes numbers and a 0.
func writeNumbers[T int32 | uint64](to *bytes.Buffer, numbers []T) {
	for _, n := range numbers {
		to.Write(append(strconv.AppendInt(to.AvailableBuffer(), int64(n), 10), ' '))
	}
	to.WriteByte('0')
}

// printCounts prints the checks and their times.
func (c *checker) printCounts(began time.Time) {
	fmt.Printf("%d formulas: %d satisfiable, %d refuted; %d answers known before\n", c.formulas, c.satisfiable, c.refuted, c.known)
	fmt.Printf("under assumptions: %d satisfiable, %d refuted by %d of %d assumptions\n", c.underSatisfiable, c.underRefuted, c.failed, c.assumed)
	fmt.Printf("%d conflicts; %d lemmas checked; %d proofs checked by their hints too; %d matrices of parities\n", c.conflicts, c.lemmas, c.hinted, c.matrices)
	fmt.Printf("%d formulas compared with CaDiCaL's library\n", c.compared)
	for _, name := range c.absent {
		fmt.Printf("%s is not installed (scripts/install): not compared\n", name)
	}
	fmt.Printf("seconds: %.1f, of which solving %.1f, proofs %.1f, judges %.1f, library %.1f\n",
		time.Since(began).Seconds(), c.solving.Seconds(), c.proving.Seconds(), c.judging.Seconds(), c.comparing.Seconds())
}
