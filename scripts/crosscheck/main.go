// Command crosscheck compares the satisfiability solvers with CaDiCaL and MiniSat on many small
// formulas: random ones around the threshold, and members of the families of gen with renamed
// variables.
//
//	go run ./scripts/crosscheck [-n 10000] [-seed 1] [-from 0] [-o wrong.cnf]
//	go run ./scripts/crosscheck -level program [-world goroutines|openmpi|mpich] [-n 8000] …
//
// At the level of the engine one solver of sat/cdcl decides each formula two to four times: under random
// assumptions, and at the end without. Half of the solvers use sums of parities, and half give hints. A
// model is checked, and a refutation is proved by a DRAT proof that sat/drat checks, and by an LRAT proof
// if the solver gives hints. Another solver uses all sums of parities. Failed assumptions must be
// assumptions; as unit clauses they must refute the formula, by the proof so far and in a new solver. The
// verdicts are compared with the known answer of the family and with CaDiCaL's and MiniSat's, which judge
// 25 formulas at once. With -tags cadical the library of CaDiCaL gets the last of these calls, and its failed
// assumptions must refute the formula in sat/cdcl too. The check ends at the first disagreement.
//
// At the level of the program each formula goes through treesplit sat under every rule of the program
// whose tree is small enough, with a random scheme, detector, simplification and quantum, on 1 to 5
// ranks: goroutines of this process, or processes that mpirun starts (-world; one rule per formula).
// Five of eight formulas are random, the others structured. Every model is checked. Three of five calls
// make one run with a proof, one of five makes one run without a proof, and one of five is a chain of
// runs that --timeout interrupts and --resume continues under other schemes and on other numbers of
// ranks. treesplit check checks the proofs. Each disagreement is one line with the flags that repeat
// it, and the check goes on.
//
// The program prints counts and seconds, and writes the formula of the first disagreement. Exit
// status: 0 no disagreement, 1 a disagreement or a failure, 2 wrong flags, 3 interrupted.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// usual are the usual numbers of formulas by level.
var usual = map[string]int{"engine": 10000, "program": 8000}

// series are the formulas of a check.
type series struct {
	seed    uint64
	from, n int // the number of the first formula, and the number of formulas
}

// progressStep returns the number of formulas between two lines of progress.
func (s series) progressStep() int { return min((s.n+9)/10, 1000) }

func main() {
	s := series{}
	level := flag.String("level", "engine", "`level` of the check: engine (sat/cdcl) or program (treesplit sat)")
	name := flag.String("world", worldNames[0], "`world` of the program's ranks: "+strings.Join(worldNames, ", "))
	flag.IntVar(&s.n, "n", 0, "`number` of formulas; 0: 10000 for engine, 8000 for program")
	flag.IntVar(&s.from, "from", 0, "`number` of the first formula")
	flag.Uint64Var(&s.seed, "seed", 1, "`seed` of the formulas")
	path := flag.String("o", "wrong.cnf", "`file` for the formula of the first disagreement")
	flag.Parse()
	if flag.NArg() > 0 || s.n < 0 || s.from < 0 || usual[*level] == 0 || !slices.Contains(worldNames, *name) {
		fmt.Fprintln(os.Stderr, "crosscheck: expected flags only, -n and -from from 0 on, and listed names (see -help)")
		os.Exit(2)
	}
	s.n = cmp.Or(s.n, usual[*level])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := runLevel(ctx, *level, *name, s)
	stop()
	os.Exit(reportError(err, *path))
}

// runLevel checks the formulas of a series at a level.
func runLevel(ctx context.Context, level, name string, s series) error {
	if level == "engine" {
		return run(ctx, s)
	}
	return runProgram(ctx, s, name)
}

// reportError prints an error, writes the formula of a disagreement, and returns the exit status.
func reportError(err error, path string) (status int) {
	if err == nil {
		return 0
	}
	wrong := (*disagreement)(nil)
	if !errors.As(err, &wrong) && errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "crosscheck: interrupted")
		return 3
	}
	fmt.Fprintln(os.Stderr, "crosscheck:", err)
	if wrong != nil {
		writeFormula(wrong.formula, path)
	}
	return 1
}

// run checks the formulas of a series at the level of the engine, and prints the counts, also if
// there is an error.
func run(ctx context.Context, s series) (err error) {
	dir, err := os.MkdirTemp("", "crosscheck")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := newChecker(dir)
	defer c.printCounts(time.Now())
	for i := s.from; i < s.from+s.n; i++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rng := newRand(s.seed, uint64(i))
		t, err := drawTask(rng)
		if err == nil {
			err = c.checkTask(rng, t)
		}
		if err != nil {
			return fmt.Errorf("formula %d of seed %d, %s: %w", i, s.seed, t.name, err)
		}
		if done := i + 1 - s.from; done%s.progressStep() == 0 {
			fmt.Printf("%d of %d formulas checked\n", done, s.n)
		}
	}
	return c.finishJudging()
}

// disagreement is an error about a formula.
type disagreement struct {
	formula *sat.Formula
	err     error
}

func (d *disagreement) Error() string { return d.err.Error() }
func (d *disagreement) Unwrap() error { return d.err }

// blame makes an error a disagreement about a formula. If the error already names a formula, that
// formula is kept.
func blame(f *sat.Formula, err error) error {
	if err == nil {
		return nil
	}
	if wrong := (*ruletest.WrongVerdict)(nil); errors.As(err, &wrong) {
		f = wrong.Formula
	}
	return &disagreement{f, err}
}

// writeFormula writes the formula of a disagreement.
func writeFormula(f *sat.Formula, path string) {
	if err := saveFormula(f, path); err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		return
	}
	fmt.Fprintln(os.Stderr, "crosscheck: the formula is in", path)
}

// saveFormula writes a formula into a file.
func saveFormula(f *sat.Formula, path string) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(f.WriteDIMACS(out), out.Close())
}
