// Command crosscheck compares the clause-learning solver (sat/cdcl) with CaDiCaL and MiniSat on
// many small formulas: random ones around the threshold, and members of the families of gen with
// renamed variables.
//
//	go run ./scripts/crosscheck [-n 10000] [-seed 1] [-o wrong.cnf]
//
// Each formula is decided twice by one solver: under random assumptions, then without. A model is
// checked, and a refutation is proved by a DRAT proof that sat/drat checks. Failed assumptions must
// be assumptions; as unit clauses they must refute the formula, by the proof so far and in a new
// solver. The verdicts are compared with the known answer of the family and with CaDiCaL's and
// MiniSat's, which judge 25 formulas at once. With -tags cadical the library of CaDiCaL gets the
// same calls, and its failed assumptions must refute the formula in sat/cdcl too.
//
// The program prints counts and seconds. At the first disagreement it writes the formula and exits
// with status 1.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

func main() {
	n := flag.Int("n", 10000, "`number` of formulas")
	seed := flag.Uint64("seed", 1, "`seed` of the formulas")
	path := flag.String("o", "wrong.cnf", "`file` for the formula of a disagreement")
	flag.Parse()
	if flag.NArg() > 0 || *n < 0 {
		fmt.Fprintln(os.Stderr, "crosscheck: expected flags only, and -n from 0 on (see -help)")
		os.Exit(2)
	}
	if err := run(*n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		if wrong := (*disagreement)(nil); errors.As(err, &wrong) {
			writeFormula(wrong.formula, *path)
		}
		os.Exit(1)
	}
}

// run checks n formulas and prints the counts, also if there is an error.
func run(n int, seed uint64) (err error) {
	dir, err := os.MkdirTemp("", "crosscheck")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := newChecker(dir)
	defer c.printCounts(time.Now())
	for i := range n {
		rng := newRand(seed, uint64(i))
		t, err := drawTask(rng)
		if err == nil {
			err = c.checkTask(rng, t)
		}
		if err != nil {
			return fmt.Errorf("formula %d of seed %d, %s: %w", i, seed, t.name, err)
		}
		if (i+1)%1000 == 0 {
			fmt.Printf("%d of %d formulas checked\n", i+1, n)
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
	out, err := os.Create(path)
	if err == nil {
		err = errors.Join(f.WriteDIMACS(out), out.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		return
	}
	fmt.Fprintln(os.Stderr, "crosscheck: the formula is in", path)
}
