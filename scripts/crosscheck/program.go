package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// At the level of the program each formula goes through treesplit sat. On goroutines every rule gets
// it whose tree is small enough; under a launcher one such rule, because a launch takes a third of a
// second. The verdicts are compared with one another, with the answer of the family if it is known,
// and with the judges. A disagreement is printed, and the check goes on.

// programChecker checks formulas at the level of the program.
type programChecker struct {
	series  series
	world   *world
	judges  *ruletest.Judges
	absent  []string
	waiting map[*sat.Formula]string // descriptions of the formulas that wait for the judges
	path    string                  // the file of the current formula

	random, structured int // formulas
	satisfiable        int
	calls              map[string]int // by rule
	proofs             int
	chains, resumed    int // calls of more than one run, and their further runs
	lemmas             int64
	wrong              int
	first              *sat.Formula // the formula of the first disagreement
}

// judgedAtOnce is the number of formulas after which all waiting formulas are judged.
const judgedAtOnce = 500

// runProgram checks the formulas of a series at the level of the program, and prints the counts. The
// error after disagreements has the formula of the first one.
func runProgram(ctx context.Context, s series, name string) (err error) {
	dir, err := os.MkdirTemp("", "crosscheck")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := newWorld(ctx, name, dir)
	if err != nil {
		return err
	}
	c := newProgramChecker(s, w)
	defer c.printCounts(time.Now())
	for i := s.from; i < s.from+s.n && ctx.Err() == nil; i++ {
		if err := c.checkNumber(ctx, i); err != nil {
			return err
		}
		if done := i + 1 - s.from; done%s.progressStep() == 0 {
			fmt.Printf("%d of %d formulas checked, %d disagreements\n", done, s.n, c.wrong)
		}
	}
	c.finishJudging()
	if c.wrong > 0 {
		return &disagreement{c.first, fmt.Errorf("%d disagreements", c.wrong)}
	}
	return ctx.Err()
}

// newProgramChecker returns a checker of a world.
func newProgramChecker(s series, w *world) *programChecker {
	judges, absent := ruletest.FindJudges(w.dir)
	return &programChecker{series: s, world: w, judges: judges, absent: absent, waiting: map[*sat.Formula]string{},
		path: filepath.Join(w.dir, "checked.cnf"), calls: map[string]int{}}
}

// checkNumber draws and checks one formula. An error ends the check: it is not about the program.
func (c *programChecker) checkNumber(ctx context.Context, number int) error {
	rng := newRand(c.series.seed, uint64(number))
	t, structured, err := drawProgramTask(rng, number)
	if err != nil {
		return fmt.Errorf("formula %d: %w", number, err)
	}
	if err := saveFormula(t.formula, c.path); err != nil {
		return err
	}
	if structured {
		c.structured++
	} else {
		c.random++
	}
	name := fmt.Sprintf("formula %d of seed %d, %s (-level program -world %s -seed %d -from %d -n 1)", number, c.series.seed, t.name, c.world.name, c.series.seed, number)
	c.checkTask(ctx, rng, t, name, number)
	if len(c.waiting) >= judgedAtOnce {
		c.finishJudging()
	}
	return nil
}

// checkTask decides a formula by the rules and compares the verdicts.
func (c *programChecker) checkTask(ctx context.Context, rng *rand.Rand, t task, name string, number int) {
	rules := suitableRules(t.formula)
	if c.world.isLauncher() {
		rules = rules[number%len(rules):][:1]
	}
	var decided []call
	var verdicts []bool
	for _, v := range rules {
		one := drawCall(rng, v)
		d, err := one.decide(ctx, c.world, t.formula, c.path)
		if ctx.Err() != nil {
			return // interrupted
		}
		if err != nil {
			c.report(t.formula, name, one, err)
			continue
		}
		c.countCall(one, d)
		decided, verdicts = append(decided, one), append(verdicts, d.satisfiable)
	}
	if len(decided) > 0 {
		c.compareVerdicts(t, name, decided, verdicts)
	}
}

// compareVerdicts compares the verdicts on a formula with the known answer and the judges. Different
// verdicts are judged at once, each alone.
func (c *programChecker) compareVerdicts(t task, name string, calls []call, verdicts []bool) {
	if verdicts[0] {
		c.satisfiable++
	}
	agree, before := !slices.Contains(verdicts, !verdicts[0]), c.wrong
	for i, one := range calls {
		if known := t.known; known != gen.Open && (known == gen.Satisfiable) != verdicts[i] {
			c.report(t.formula, name, one, fmt.Errorf("satisfiable %v, but it is known to be %v", verdicts[i], known))
		} else if err := c.judgeIf(!agree, t.formula, verdicts[i]); err != nil {
			c.report(t.formula, name, one, err)
		}
	}
	if agree {
		c.waiting[t.formula] = fmt.Sprintf("%s, %d calls", name, len(calls))
		c.reportJudges(c.judges.ExpectVerdict(t.formula, verdicts[0]))
	} else if c.wrong == before { // no judge is installed
		c.report(t.formula, name, calls[0], fmt.Errorf("satisfiable %v, but the calls have the verdicts %v", verdicts[0], verdicts))
	}
}

// judgeIf asks the judges about one formula now, if wanted.
func (c *programChecker) judgeIf(wanted bool, f *sat.Formula, satisfiable bool) error {
	if !wanted {
		return nil
	}
	return c.judges.JudgeNow(f, satisfiable)
}

// finishJudging judges the waiting formulas.
func (c *programChecker) finishJudging() {
	c.reportJudges(c.judges.FinishJudging())
	clear(c.waiting)
}

// reportJudges prints a disagreement of the judges with all rules.
func (c *programChecker) reportJudges(err error) {
	if err == nil {
		return
	}
	name, f := "unknown formula", &sat.Formula{}
	if wrong := (*ruletest.WrongVerdict)(nil); errors.As(err, &wrong) {
		name, f = c.waiting[wrong.Formula], wrong.Formula
	}
	c.print(f, fmt.Sprintf("%s: all rules: %v", name, err))
}

// report prints a disagreement about one call.
func (c *programChecker) report(f *sat.Formula, name string, one call, err error) {
	c.print(f, fmt.Sprintf("%s: %v: %v", name, one, err))
}

// print prints one line for a disagreement.
func (c *programChecker) print(f *sat.Formula, text string) {
	c.wrong++
	c.first = cmp.Or(c.first, f)
	fmt.Println("disagreement:", strings.ReplaceAll(text, "\n", "; "))
}

// countCall counts a call that gave a verdict.
func (c *programChecker) countCall(one call, d decision) {
	c.calls[one.rule]++
	c.lemmas += d.lemmas
	if !d.satisfiable && one.manner != unproved {
		c.proofs++
	}
	if d.runs > 1 {
		c.chains, c.resumed = c.chains+1, c.resumed+d.runs-1
	}
}

// printCounts prints the checks.
func (c *programChecker) printCounts(began time.Time) {
	fmt.Printf("%d random and %d structured formulas on %s, %d satisfiable; %d proofs of %d lemmas checked; %d searches resumed %d times\n",
		c.random, c.structured, c.world.name, c.satisfiable, c.proofs, c.lemmas, c.chains, c.resumed)
	var calls []string
	for _, rule := range workloads.RuleNames() {
		calls = append(calls, fmt.Sprintf("%s %d", rule, c.calls[rule]))
	}
	fmt.Println("calls of each rule:", strings.Join(calls, ", "))
	for _, name := range c.absent {
		fmt.Printf("%s is not installed (scripts/install): not compared\n", name)
	}
	fmt.Printf("%d disagreements in %.1f seconds\n", c.wrong, time.Since(began).Seconds())
}
