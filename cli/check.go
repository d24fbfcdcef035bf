package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/units"
	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/drat"
)

// checkResult is the JSON of check.
type checkResult struct {
	Verdict    string  `json:"result"`           // VERIFIED or NOT VERIFIED
	Reason     string  `json:"reason,omitempty"` // why not
	Format     string  `json:"format"`           // text or binary
	Step       int64   `json:"step"`             // that derived the empty clause or was refused; 0 is the formula itself
	Line       int64   `json:"line,omitempty"`   // its line; text only
	Offset     int64   `json:"offset"`           // its first byte
	Lemmas     int64   `json:"lemmas"`
	RAT        int64   `json:"rat"` // lemmas that unit propagation does not imply
	Deletions  int64   `json:"deletions"`
	Ignored    int64   `json:"ignoredDeletions"` // of units and what became one
	Missing    int64   `json:"missingDeletions"` // of clauses that are not there
	Unused     int64   `json:"unusedSteps"`      // behind the empty clause
	Extensions int     `json:"extensionVariables"`
	Tautology  bool    `json:"tautology,omitempty"` // of a p dnf input
	Seconds    float64 `json:"seconds"`             // of reading the proof and checking
}

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	var show string
	var relaxed bool
	cmd := &cobra.Command{
		Use:   "check FILE PROOF",
		Short: "Check a proof of unsatisfiability in the DRAT format",
		Long: `check reads a formula in DIMACS format and a proof of its unsatisfiability in the
DRAT format, text or binary, each plain or compressed by gzip, zstd, xz or
bzip2; - is standard input for one of them. It prints "s VERIFIED" and exits with 0 if every
step holds up to the empty clause. Otherwise it prints which step does not hold and
why, then "s NOT VERIFIED", and exits with 1. Input that cannot be read gives 2.

Any solver's proof will do. The checker shares no code with the search. A lemma has
to follow by unit propagation (RUP) or to have the property RAT on its first
literal. As in drat-trim, what unit propagation finds without assumptions stays
true when its clauses are deleted, and deleting a clause that is not there is no
error; the summary counts both.`,
		Example: `  treesplit check testdata/php4.cnf testdata/php4.drat
  treesplit check testdata/php4.cnf testdata/php4.drat --json
  treesplit gen php --n 4 | treesplit check - testdata/php4.drat`,
		Args: exactArguments(2, "a DIMACS file and a DRAT proof, one of which may be - for standard input"),
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (o outcome, err error) {
			r, err := a.runCheck(args[0], args[1], show, relaxed)
			if err != nil {
				return o, err
			}
			if r.Verdict != "VERIFIED" {
				o.status = statusFailed
			}
			if asJSON {
				return o, a.printJSON(r)
			}
			return o, a.printCheck(r)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&show, "progress", "auto", "progress line: auto (on a terminal), on, off")
	cmd.Flags().BoolVar(&relaxed, "relaxed", false, relaxedHelp)
	return cmd
}

// runCheck checks a proof. Whatever cannot be read is an InputError.
func (a *app) runCheck(formulaPath, proofPath, show string, relaxed bool) (*checkResult, error) {
	if show != "auto" && show != "on" && show != "off" {
		return nil, flagError("progress", fmt.Errorf("%q: expected auto, on or off", show))
	}
	if formulaPath == "-" && proofPath == "-" {
		return nil, run.InputError{Err: errors.New("check: formula and proof cannot both be standard input")}
	}
	formula, err := a.readFormula(formulaPath, sat.ReadOptions{Relaxed: a.relaxedWarnings(relaxed)})
	if err != nil {
		return nil, run.InputError{Err: err}
	}
	proof, name := io.NopCloser(a.stdin), "stdin"
	if proofPath != "-" {
		if proof, err = os.Open(proofPath); err != nil {
			return nil, run.InputError{Err: err}
		}
		name = proofPath
	}
	defer proof.Close()
	line := a.startProgress(show, "step")
	defer line.removeLine()
	var o drat.Options
	if line.on {
		o.Progress = func(r drat.Report) { line.setCount(r.Lemmas + r.Deletions + r.Unused) }
	}
	start := time.Now()
	r, err := drat.Check(formula.Clauses(), proof, name, o)
	if err != nil {
		return nil, run.InputError{Err: err}
	}
	c := &checkResult{
		Verdict: "VERIFIED", Reason: r.Refusal, Format: "text", Step: r.Step, Line: r.Line, Offset: r.Offset,
		Lemmas: r.Lemmas, RAT: r.RAT, Deletions: r.Deletions, Ignored: r.Ignored, Missing: r.Missing,
		Unused: r.Unused, Extensions: r.Extensions, Tautology: r.Verified && formula.DNF,
		Seconds: time.Since(start).Seconds(),
	}
	if !r.Verified {
		c.Verdict = "NOT VERIFIED"
	}
	if r.Binary {
		c.Format = "binary"
	}
	return c, nil
}

// readFormula reads the formula in a file, or in standard input for "-".
func (a *app) readFormula(path string, o sat.ReadOptions) (*sat.Formula, error) {
	if path == "-" {
		return o.Read(a.stdin, "stdin")
	}
	return o.ReadFile(path)
}

// printCheck prints a verdict as drat-trim does, the counts in comments above it.
func (a *app) printCheck(r *checkResult) error {
	text := fmt.Sprintf("c %s (%s by RAT) and %s in %s, %s format\n", units.Things(r.Lemmas, "lemma"), units.Count(r.RAT), units.Things(r.Deletions, "deletion"), units.Seconds(r.Seconds), r.Format)
	if r.Extensions > 0 {
		text += fmt.Sprintf("c variables that the formula does not have: %s\n", units.Count(int64(r.Extensions)))
	}
	if r.Ignored > 0 {
		text += fmt.Sprintf("c ignored deletions of unit clauses, whose literals stay true: %s\n", units.Count(r.Ignored))
	}
	if r.Missing > 0 {
		text += fmt.Sprintf("c warning: deletions of clauses that do not exist: %s\n", units.Count(r.Missing))
	}
	if r.Unused > 0 {
		text += fmt.Sprintf("c unchecked steps after the empty clause: %s\n", units.Count(r.Unused))
	}
	if r.Tautology {
		text += "c the disjunctive normal form is a tautology: its negation has no model\n"
	}
	if r.Reason != "" {
		text += "c " + r.Reason + "\n"
	}
	_, err := fmt.Fprintf(a.stdout, "%ss %s\n", text, r.Verdict)
	return err
}
