package ruletest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"treesplit/sat"
	"treesplit/search"
)

// threshold are kinds of random formulas of which about half are satisfiable: n of
// each, with so many clauses for a variable, and of share·Variables variables.
var threshold = []struct {
	lengths []int
	ratio   float64
	share   float64
	n       int
}{
	{lengths: []int{3}, ratio: 4.26, share: 1, n: 200},
	{lengths: []int{2}, ratio: 1, share: 1, n: 100},
	{lengths: []int{4}, ratio: 9.8, share: 0.6, n: 80},
	{lengths: []int{5}, ratio: 21.2, share: 0.4, n: 60},
	{lengths: []int{2, 3, 4}, ratio: 2.7, share: 1, n: 100},
	{lengths: []int{2, 3, 4, 5, 6, 7}, ratio: 4.2, share: 0.6, n: 60},
}

// solvers checks verdicts on random formulas around the threshold against minisat's and
// cadical's in turn, where they are installed, the models, and some of the proofs.
func (s Suite) solvers(t *testing.T) {
	var programs []string
	for _, p := range []string{"minisat", "cadical"} {
		if _, err := exec.LookPath(p); err == nil {
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		t.Log("neither minisat nor cadical is installed: verdicts are compared with nothing, models and proofs checked")
	}
	file := filepath.Join(t.TempDir(), "random.cnf")
	satisfiable, total := 0, 0
	for _, kind := range threshold {
		rng := rand.New(rand.NewPCG(3, uint64(total)))
		n := kind.n
		if testing.Short() {
			n /= 10
		}
		variables := int(kind.share * float64(s.Variables))
		for i := range n {
			f := Random(rng, variables, int(kind.ratio*float64(variables)+0.5), kind.lengths...)
			has, err := s.compare(rng, f, file, turn(programs, i), i%4 == 0)
			if err != nil {
				t.Fatalf("formula %d of lengths %v: %v", i, kind.lengths, err)
			}
			if total++; has {
				satisfiable++
			}
		}
	}
	if satisfiable < total/5 || satisfiable > total*4/5 {
		t.Errorf("%d of %d formulas are satisfiable: they are not around the threshold", satisfiable, total)
	}
}

// turn is the program whose turn it is, if there is any.
func turn(programs []string, i int) []string {
	if len(programs) == 0 {
		return nil
	}
	i %= len(programs)
	return programs[i : i+1]
}

// compare decides a formula and has the programs decide it.
func (s Suite) compare(rng *rand.Rand, f *sat.Formula, file string, programs []string, prove bool) (satisfiable bool, err error) {
	rule := s.New(f)
	share := run(sat.NewSearch(rule, sat.Options{Splitting: search.Splitting{}, Root: true}), 10_000)
	model := share.Model()
	switch {
	case model != nil:
		err = f.Check(model)
	case prove:
		err = s.proof(rng, f, rule)
	}
	if err != nil {
		return false, err
	}
	if err := write(f, file); err != nil {
		return false, err
	}
	for _, p := range programs {
		other, err := decide(p, file)
		if err != nil {
			return false, err
		}
		if other != (model != nil) {
			return false, fmt.Errorf("%s says satisfiable: %v", p, other)
		}
	}
	return model != nil, nil
}

func write(f *sat.Formula, file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(f.WriteDIMACS(out), out.Close())
}

// decide runs a program that keeps to the exit statuses of the SAT competitions.
func decide(program, file string) (satisfiable bool, err error) {
	err = exec.Command(program, file).Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 10 || exit.ExitCode() == 20) {
		return exit.ExitCode() == 10, nil
	}
	return false, fmt.Errorf("%s %s: %v", program, file, err)
}
