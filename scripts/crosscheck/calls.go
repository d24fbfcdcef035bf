package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"treesplit/cli"
	"treesplit/lb"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/proof"
	"treesplit/termination"
)

// callLimit is --timeout of each call. The formulas take milliseconds.
const callLimit = time.Minute

// manner is how a call decides its formula.
type manner int

const (
	proved   manner = iota // one run, with a proof of a refutation
	unproved               // one run without a proof: cdcl and cubes then use all sums of parities
	chained                // runs that are interrupted and resumed, with one proof
)

// String names the manner.
func (m manner) String() string {
	return [...]string{"with a proof", "without a proof", "in a chain of runs"}[m]
}

// firstLimit is --timeout of the first run of a chain. Each further run gets twice the time.
const firstLimit = 2 * time.Millisecond

// call is one call of treesplit sat: the rule, and everything else drawn. A chain of runs draws the
// schemes, the detectors and the numbers of ranks of its further runs from seed.
type call struct {
	rule   string
	manner manner
	ranks  int
	args   []string // without the formula, the proof, the ranks and the balancing
	seed   uint64
}

// drawCall draws the manner, the number of ranks, and how the formula is simplified.
func drawCall(rng *rand.Rand, v variant) call {
	c := call{rule: v.rule, manner: pick(rng, []manner{proved, proved, proved, unproved, chained}), ranks: 1 + rng.IntN(5)}
	c.args = append([]string{"--rule", v.rule}, v.drawFlags(rng)...)
	c.args = append(c.args, "--quantum", pick(rng, []string{"auto", "1", "7"}), "--proof-format", pick(rng, proof.FormatNames()),
		"--seed", strconv.Itoa(rng.IntN(1000)))
	if rng.IntN(2) == 0 {
		c.args = append(c.args, "--simplify", pick(rng, workloads.SimplifyNames()))
	}
	c.seed = rng.Uint64()
	return c
}

// drawBalancing draws the flags that may differ from run to run of a chain.
func drawBalancing(rng *rand.Rand) []string {
	return []string{"--scheme", pick(rng, lb.SchemeNames()), "--termination", pick(rng, termination.DetectorNames())}
}

// pick draws a value.
func pick[T any](rng *rand.Rand, values []T) T { return values[rng.IntN(len(values))] }

// String returns the command line of the first run, in which FILE is the formula.
func (c call) String() string {
	balancing := drawBalancing(newRand(c.seed, 0))
	return fmt.Sprintf("treesplit sat FILE %s on %d ranks, %v", strings.Join(append(c.args, balancing...), " "), c.ranks, c.manner)
}

// answer is what the check reads of the JSON of sat.
type answer struct {
	Verdict string  `json:"result"`
	Model   []int32 `json:"model"`
	Lemmas  int64   `json:"proofLemmas"`
}

// decision is the outcome of a call.
type decision struct {
	satisfiable bool
	lemmas      int64 // of the proof that was checked
	runs        int   // of the program
}

// decide calls the program for a formula in a file until it decides the formula. It checks the model,
// or the proof by treesplit check.
func (c call) decide(ctx context.Context, w *world, f *sat.Formula, path string) (d decision, err error) {
	dir, err := os.MkdirTemp(w.dir, "call")
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := append([]string{"sat", path, "--json", "--progress", "off"}, c.args...)
	proofPath := filepath.Join(dir, "proof")
	if c.manner != unproved {
		args = append(args, "--proof", proofPath)
	} else if i := slices.Index(args, "--proof-format"); i >= 0 { // refused without a proof
		args = slices.Delete(args, i, i+2)
	}
	limit := callLimit
	if c.manner == chained {
		args = append(args, "--checkpoint", filepath.Join(dir, "checkpoint"), "--resume", "auto")
		limit = firstLimit
	}
	rng := newRand(c.seed, 0)
	balancing, ranks := drawBalancing(rng), c.ranks
	for {
		d.runs++
		a, err := w.answer(ctx, ranks, slices.Concat(args, balancing, []string{"--timeout", limit.String()}))
		switch {
		case err != nil:
			return d, err
		case a.Verdict == "SATISFIABLE":
			d.satisfiable = true
			return d, checkModel(f, a.Model)
		case a.Verdict == "UNSATISFIABLE" && c.manner == unproved:
			return d, nil
		case a.Verdict == "UNSATISFIABLE":
			d.lemmas = a.Lemmas
			return d, checkProofFile(path, proofPath)
		case limit >= callLimit:
			return d, fmt.Errorf("%s, expected a verdict within %v", a.Verdict, limit)
		}
		limit = min(2*limit, callLimit)
		balancing, ranks = drawBalancing(rng), 1+rng.IntN(5)
	}
}

// answer runs the program and returns what it answers.
func (w *world) answer(ctx context.Context, ranks int, args []string) (a answer, err error) {
	o, err := w.call(ctx, ranks, args)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(o.stdout.Bytes(), &a); err != nil {
		return a, fmt.Errorf("exit status %d without a result: %s", o.status, oneLine(o.stderr.String()))
	}
	if want := w.expectedStatus(a.Verdict); o.status != want {
		return a, fmt.Errorf("%s with exit status %d, expected %d: %s", a.Verdict, o.status, want, oneLine(o.stderr.String()))
	}
	return a, nil
}

// expectedStatus returns the exit status that belongs to a verdict.
func (w *world) expectedStatus(verdict string) int {
	switch {
	case verdict == "UNKNOWN":
		return 3
	case w.isLauncher():
		return 0
	case verdict == "SATISFIABLE":
		return 10
	}
	return 20
}

// checkModel checks that a model has one literal per variable and satisfies the formula.
func checkModel(f *sat.Formula, literals []int32) error {
	if len(literals) != f.Variables {
		return fmt.Errorf("the model has %d literals, expected %d", len(literals), f.Variables)
	}
	model := make([]bool, f.Variables)
	for i, l := range literals {
		if max(l, -l) != int32(i+1) {
			return fmt.Errorf("literal %d of the model is %d", i+1, l)
		}
		model[i] = l > 0
	}
	return f.CheckModel(model)
}

// checkProofFile lets treesplit check, in this process, check a proof.
func checkProofFile(formula, proofPath string) error {
	var stdout, stderr bytes.Buffer
	status := cli.Main([]string{"check", formula, proofPath, "--progress", "off"}, strings.NewReader(""), &stdout, &stderr)
	if status != 0 || !strings.HasSuffix(stdout.String(), "\ns VERIFIED\n") {
		return fmt.Errorf("UNSATISFIABLE, but check exits with status %d: %s", status, oneLine(stdout.String()+stderr.String()))
	}
	return nil
}

// oneLine returns a text on one line.
func oneLine(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ") }
