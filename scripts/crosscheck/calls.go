package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
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

// call is one call of treesplit sat: the rule, and everything else drawn.
type call struct {
	rule  string
	ranks int
	args  []string // without the formula, the proof and the ranks
}

// drawCall draws the scheme, the detector, the number of ranks, and how the formula is simplified.
func drawCall(rng *rand.Rand, v variant) call {
	c := call{rule: v.rule, ranks: 1 + rng.IntN(5)}
	c.args = append([]string{"--rule", v.rule}, v.drawFlags(rng)...)
	c.args = append(c.args,
		"--scheme", pick(rng, lb.SchemeNames()), "--termination", pick(rng, termination.DetectorNames()),
		"--quantum", pick(rng, []string{"auto", "1", "7"}), "--proof-format", pick(rng, proof.FormatNames()),
		"--seed", strconv.Itoa(rng.IntN(1000)))
	if rng.IntN(2) == 0 {
		c.args = append(c.args, "--simplify", pick(rng, workloads.SimplifyNames()))
	}
	return c
}

// pick draws a value.
func pick(rng *rand.Rand, values []string) string { return values[rng.IntN(len(values))] }

// String returns the command line, in which FILE is the formula.
func (c call) String() string {
	return fmt.Sprintf("treesplit sat FILE %s on %d ranks", strings.Join(c.args, " "), c.ranks)
}

// answer is what the check reads of the JSON of sat.
type answer struct {
	Verdict string  `json:"result"`
	Model   []int32 `json:"model"`
	Lemmas  int64   `json:"proofLemmas"`
}

// decide calls the program for a formula in a file and returns the verdict. It checks the model, or
// the proof by treesplit check.
func (c call) decide(ctx context.Context, w *world, f *sat.Formula, path string) (satisfiable bool, lemmas int64, err error) {
	proofPath := filepath.Join(w.dir, "proof")
	args := append([]string{"sat", path, "--json", "--proof", proofPath, "--timeout", callLimit.String(), "--progress", "off"}, c.args...)
	o, err := w.call(ctx, c.ranks, args)
	if err != nil {
		return false, 0, err
	}
	var a answer
	if err := json.Unmarshal(o.stdout.Bytes(), &a); err != nil {
		return false, 0, fmt.Errorf("exit status %d without a result: %s", o.status, firstLine(o.stderr.String()))
	}
	if want := w.expectedStatus(a.Verdict); o.status != want {
		return false, 0, fmt.Errorf("%s with exit status %d, expected %d: %s", a.Verdict, o.status, want, firstLine(o.stderr.String()))
	}
	switch a.Verdict {
	case "SATISFIABLE":
		return true, 0, checkModel(f, a.Model)
	case "UNSATISFIABLE":
		return false, a.Lemmas, checkProofFile(path, proofPath)
	}
	return false, 0, fmt.Errorf("%s, expected a verdict within %v", a.Verdict, callLimit)
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
		return fmt.Errorf("UNSATISFIABLE, but check exits with status %d: %s", status, strings.ReplaceAll(strings.TrimSpace(stdout.String()+stderr.String()), "\n", "; "))
	}
	return nil
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
