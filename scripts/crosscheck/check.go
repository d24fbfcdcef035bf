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
	lemmas, conflicts                    int64
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
	assumed := drawAssumptions(rng, t.formula.Variables)
	p := newPair(t.formula, uint64(rng.IntN(3)))
	under, err := c.checkCall(p, assumed)
	c.countAssumed(under, len(assumed), len(p.solver.Failed()))
	if err != nil {
		return blame(withUnits(t.formula, assumed), fmt.Errorf("under assumptions %d: %w", assumed, err))
	}
	free, err := c.checkCall(p, nil)
	c.countFree(free)
	if err == nil {
		err = c.checkAnswers(t, under, free)
	}
	if err != nil {
		return blame(t.formula, err)
	}
	c.conflicts += p.solver.Stats().Conflicts
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

// pair is a solver with its formula and the text of its proof.
type pair struct {
	formula *sat.Formula
	solver  *cdcl.Solver
	proof   recorder
}

// newPair returns a solver with the clauses of a formula.
func newPair(f *sat.Formula, seed uint64) *pair {
	p := &pair{formula: f}
	p.solver = cdcl.New(cdcl.Options{Proof: &p.proof, Seed: seed})
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
		return c.checkProof(p.formula, p.proof.text.Bytes())
	}
	with := withUnits(p.formula, failed)
	refuted := append(slices.Clip(p.proof.text.Bytes()), "0\n"...)
	if err := c.checkProof(with, refuted); err != nil {
		return err
	}
	again := newPair(with, 0)
	began := time.Now()
	status := again.solver.Solve(cdcl.NoLimit)
	c.solving += time.Since(began)
	if status != cdcl.Unsatisfiable {
		return fmt.Errorf("with the failed assumptions %d as clauses a new solver returns %v", failed, status)
	}
	return c.checkProof(with, again.proof.text.Bytes())
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

// recorder keeps a proof as text.
type recorder struct{ text bytes.Buffer }

func (r *recorder) AddLemma(_ uint64, clause []int32, _ []uint64) { r.writeLine("", clause) }
func (r *recorder) DeleteClause(_ uint64, clause []int32)         { r.writeLine("d ", clause) }

// writeLine writes a step of the proof.
func (r *recorder) writeLine(kind string, clause []int32) {
	line := append(r.text.AvailableBuffer(), kind...)
	for _, l := range clause {
		line = append(strconv.AppendInt(line, int64(l), 10), ' ')
	}
	r.text.Write(append(line, "0\n"...))
}

// printCounts prints the checks and their times.
func (c *checker) printCounts(began time.Time) {
	fmt.Printf("%d formulas: %d satisfiable, %d refuted; %d answers known before\n", c.formulas, c.satisfiable, c.refuted, c.known)
	fmt.Printf("under assumptions: %d satisfiable, %d refuted by %d of %d assumptions\n", c.underSatisfiable, c.underRefuted, c.failed, c.assumed)
	fmt.Printf("%d conflicts; %d lemmas checked\n", c.conflicts, c.lemmas)
	fmt.Printf("%d formulas compared with CaDiCaL's library\n", c.compared)
	for _, name := range c.absent {
		fmt.Printf("%s is not installed (scripts/install): not compared\n", name)
	}
	fmt.Printf("seconds: %.1f, of which solving %.1f, proofs %.1f, judges %.1f, library %.1f\n",
		time.Since(began).Seconds(), c.solving.Seconds(), c.proving.Seconds(), c.judging.Seconds(), c.comparing.Seconds())
}
