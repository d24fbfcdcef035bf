package ruletest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"treesplit/sat"
)

// Judges are other solvers, which return the exit statuses of the SAT competitions. Starting a
// solver takes longer than solving a small formula, so they judge many formulas at once. Formulas
// without common variables are all satisfiable if their conjunction is satisfiable, and all
// unsatisfiable if their disjunction is unsatisfiable.
type Judges struct {
	programs []string
	file     string
	waiting  map[bool][]*sat.Formula // by expected satisfiability
}

// atOnce is the number of formulas judged at once.
const atOnce = 25

// NewJudges finds the installed solvers. Without a solver every verdict is accepted.
func NewJudges(t testing.TB) *Judges {
	t.Helper()
	j, absent := FindJudges(t.TempDir())
	for _, p := range absent {
		t.Logf("%s is not installed (scripts/install): verdicts are not compared with its", p)
	}
	return j
}

// FindJudges is NewJudges outside a test. The solvers read files in the given directory. It also
// returns the solvers that are not installed.
func FindJudges(dir string) (j *Judges, absent []string) {
	j = &Judges{file: filepath.Join(dir, "formula.cnf"), waiting: map[bool][]*sat.Formula{}}
	for _, p := range []string{"minisat", "cadical"} {
		if _, err := exec.LookPath(p); err != nil {
			absent = append(absent, p)
			continue
		}
		j.programs = append(j.programs, p)
	}
	return j, absent
}

// WrongVerdict is the error for a formula of which a solver has another verdict.
type WrongVerdict struct {
	Formula *sat.Formula
	place   string // in the batch
	err     error
}

func (w *WrongVerdict) Error() string { return fmt.Sprintf("%s, %v: %v", w.place, w.Formula, w.err) }
func (w *WrongVerdict) Unwrap() error { return w.err }

// ExpectVerdict checks a verdict by the solvers, now or in FinishJudging.
func (j *Judges) ExpectVerdict(f *sat.Formula, satisfiable bool) error {
	j.waiting[satisfiable] = append(j.waiting[satisfiable], f)
	if len(j.waiting[satisfiable]) < atOnce {
		return nil
	}
	return j.judgeBatch(satisfiable)
}

// JudgeNow checks a verdict by the solvers at once, apart from the waiting formulas.
func (j *Judges) JudgeNow(f *sat.Formula, satisfiable bool) error {
	return j.askSolvers(f, satisfiable)
}

// FinishJudging checks the remaining verdicts.
func (j *Judges) FinishJudging() error { return errors.Join(j.judgeBatch(true), j.judgeBatch(false)) }

// judgeBatch asks all solvers about the waiting formulas with the given expectation. If a solver
// disagrees, each formula is judged alone, so that the error names one formula.
func (j *Judges) judgeBatch(satisfiable bool) error {
	formulas := j.waiting[satisfiable]
	j.waiting[satisfiable] = nil
	together := disjunctionOf
	if satisfiable {
		together = conjunctionOf
	}
	err := j.askSolvers(together(formulas), satisfiable)
	if err == nil || len(formulas) == 0 {
		return err
	}
	for i, f := range formulas {
		if err := j.askSolvers(f, satisfiable); err != nil {
			return &WrongVerdict{f, fmt.Sprintf("formula %d of the last %d", i, len(formulas)), err}
		}
	}
	return fmt.Errorf("%d formulas together, each of which is judged as expected: %w", len(formulas), err)
}

// askSolvers compares the verdict of each solver on one formula with the expected verdict.
func (j *Judges) askSolvers(f *sat.Formula, satisfiable bool) error {
	if err := writeFormula(f, j.file); err != nil {
		return err
	}
	for _, p := range j.programs {
		verdict, err := runSolver(p, j.file)
		if err != nil {
			return err
		}
		if verdict != satisfiable {
			return fmt.Errorf("%s: satisfiable %v, expected %v", p, verdict, satisfiable)
		}
	}
	return nil
}

// conjunctionOf returns the conjunction of formulas, each with its own variables. It is
// satisfiable if all formulas are.
func conjunctionOf(formulas []*sat.Formula) *sat.Formula {
	all := new(sat.Formula)
	for _, f := range formulas {
		addShifted(all, f)
	}
	return all
}

// disjunctionOf returns the disjunction of formulas, each with its own variables. It is
// satisfiable if one formula is: variable i selects formula i, and one selector must be true.
func disjunctionOf(formulas []*sat.Formula) *sat.Formula {
	some := &sat.Formula{Variables: len(formulas)}
	selectors := make([]int32, len(formulas))
	for i, f := range formulas {
		selectors[i] = int32(i + 1)
		addShifted(some, f, -selectors[i])
	}
	some.AddClause(selectors...)
	return some
}

// addShifted adds the clauses of a formula with new variables, and more literals in each clause.
func addShifted(to, f *sat.Formula, more ...int32) {
	shift := int32(to.Variables)
	to.Variables += f.Variables
	for i := range f.Len() {
		var clause []int32
		for _, l := range f.Clause(i) {
			if l > 0 {
				clause = append(clause, l+shift)
			} else {
				clause = append(clause, l-shift)
			}
		}
		to.AddClause(append(clause, more...)...)
	}
}

func writeFormula(f *sat.Formula, file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(f.WriteDIMACS(out), out.Close())
}

// runSolver runs a program that returns the exit statuses of the SAT competitions.
func runSolver(program, file string) (satisfiable bool, err error) {
	err = exec.Command(program, file).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 10 || exit.ExitCode() == 20) {
		return exit.ExitCode() == 10, nil
	}
	return false, fmt.Errorf("%s %s: %v", program, file, err)
}
