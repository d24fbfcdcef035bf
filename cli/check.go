package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/drat"
)

// checkResult is the JSON of check.
type checkResult struct {
	Verdict          string  `json:"result"`           // VERIFIED, NOT VERIFIED or UNKNOWN
	Reason           string  `json:"reason,omitempty"` // why the proof is not verified, or not checked to its end
	Proof            string  `json:"proof,omitempty"`  // drat or lrat
	Format           string  `json:"format,omitempty"` // text or binary
	Mode             string  `json:"mode,omitempty"`   // forward or backward
	Step             int64   `json:"step"`             // the step that derived the empty clause or was refused; 0: the formula itself
	Line             int64   `json:"line,omitempty"`   // line of the step; text only
	Offset           int64   `json:"offset"`           // first byte of the step
	Lemmas           int64   `json:"lemmas"`
	Checked          int64   `json:"checkedLemmas"`
	Core             int64   `json:"coreClauses,omitempty"` // clauses of the formula that the checked lemmas need; backward only
	RAT              int64   `json:"rat"`                   // lemmas that unit propagation does not imply
	Hints            int64   `json:"hints,omitempty"`       // LRAT only
	Deletions        int64   `json:"deletions"`
	Ignored          int64   `json:"ignoredDeletions"` // deletions of units, and of clauses that became units
	Missing          int64   `json:"missingDeletions"` // deletions of missing clauses
	Unused           int64   `json:"unusedSteps"`      // steps after the empty clause was derived
	Extensions       int     `json:"extensionVariables"`
	Tautology        bool    `json:"tautology,omitempty"`  // of a p dnf input
	Workers          int     `json:"workers"`              // that checked parts of the proof; 1 if it was not divided
	Memory           int64   `json:"memoryBytes"`          // of clauses and steps, of all workers
	Seconds          float64 `json:"seconds"`              // of reading the proof and checking
	Written          string  `json:"lrat,omitempty"`       // the LRAT proof that was written
	WrittenLemmas    int64   `json:"lratLemmas,omitempty"` // its lemmas
	WrittenDeletions int64   `json:"lratDeletions,omitempty"`

	trouble   error // why the LRAT proof was not completed; or nil
	unwritten bool  // the LRAT proof was not completed, because its writing was interrupted
}

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	f := checkFlags{Options: drat.Options{Mode: drat.Auto, Format: drat.AnyFormat}}
	cmd := &cobra.Command{
		Use:   "check FILE PROOF",
		Short: "Check a proof of unsatisfiability in the DRAT or LRAT format",
		Long: `check checks a proof that a formula has no model.

It reads a formula in DIMACS format and a proof in DRAT or LRAT format, text or binary. Both can be
compressed by gzip, zstd, xz or bzip2, and - is standard input for one of them. Any solver's proof
can be checked. The checker shares no code with the search. The first steps show the format;
--format names it if they do not.

It prints "s VERIFIED" if the steps refute the formula. Otherwise it prints the step that does not
hold, the reason, and "s NOT VERIFIED".

A lemma of DRAT must follow by unit propagation (RUP), or have the property RAT on its first literal.
As in drat-trim, an assignment that unit propagation finds without assumptions stays when its clauses
are deleted, and the deletion of a clause that does not exist is no error. The summary counts both.

--mode forward checks every lemma of DRAT in the order of the proof. Its memory depends on the clauses
that exist at one time. --mode backward reads the whole proof, and then checks, from the last lemma
to the first, the lemmas that the refutation needs. This is faster for most solvers' proofs. A lemma
that is not needed is not checked: the proof is verified even if that lemma does not hold. --mode auto
checks backward. It checks forward if the proof looks like one of a tree search, as sat --proof writes
it, or if its lemmas need more than 2 GiB. With four workers or more it checks a file of at least 1 MiB
forward first, which is then faster, and backward if a lemma does not hold.

A lemma of LRAT names the clauses that prove it, its hints. They are checked in one pass. --lrat FILE checks
a DRAT proof backward, and writes an LRAT proof with the lemmas that are needed. Verified checkers read
it. A literal that is true at the top level becomes a lemma of one literal there.

--mode backward and forward are refused for a proof in LRAT. LRAT proofs and forward checks are divided among
--workers N workers after the first 256 KiB, or fewer if their clauses need too much memory. A backward check
has one worker. The verdict and the refused line do not depend on N; the counts do under --mode auto.`,
		Example: `  treesplit check testdata/php4.cnf testdata/php4.drat
  treesplit check testdata/php4.cnf testdata/php4.drat --mode backward --json
  treesplit check testdata/php4.cnf testdata/php4.drat --mode forward --workers 1
  treesplit check testdata/php4.cnf testdata/php4.drat --lrat php4.lrat && treesplit check testdata/php4.cnf php4.lrat
  treesplit gen php --n 4 | treesplit check - testdata/php4.drat`,
		Args: exactArguments(2, "a DIMACS file and a proof, one of which may be - for standard input"),
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (end outcome, err error) {
			r, err := a.runCheck(args[0], args[1], f)
			if err != nil {
				return end, err
			}
			switch r.Verdict {
			case "NOT VERIFIED":
				end.status = statusFailed
			case "UNKNOWN":
				end.status = statusStopped
			}
			end.trouble = r.trouble
			if r.unwritten {
				end.status = statusStopped
				fmt.Fprintln(a.stderr, "treesplit: no LRAT proof was written: its writing was interrupted")
			}
			if asJSON {
				return end, a.printJSON(r)
			}
			return end, a.printCheck(r)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, jsonHelp)
	f.register(cmd.Flags())
	help.SetExit(cmd, help.Status{Code: statusDone, Meaning: "the proof is verified"},
		help.Status{Code: statusFailed, Meaning: "the proof is not verified, or the check failed"}, exitInput,
		help.Status{Code: statusStopped, Meaning: "stopped early, by --timeout or a signal: the verdict is unknown, or the LRAT proof was not written"})
	help.SetFiles(cmd, [2]string{"FILE", "a formula in DIMACS format"}, [2]string{"PROOF", "a proof in DRAT or LRAT format"}, [2]string{"FILE of --lrat", "a proof in LRAT format"})
	return cmd
}

// checkFlags are the flags of check.
type checkFlags struct {
	drat.Options
	show    string
	lrat    string
	relaxed bool
	timeout time.Duration
}

// register registers the flags.
func (f *checkFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.show, "progress", "auto", lineHelp)
	flags.StringVar((*string)(&f.Mode), "mode", string(f.Mode), "`ORDER` of the checks: forward, backward or auto")
	flags.StringVar((*string)(&f.Format), "format", string(f.Format), "`FORMAT` of the proof: drat, lrat or auto")
	flags.StringVar(&f.lrat, "lrat", "", "`FILE` for an LRAT proof with the lemmas that are needed")
	flags.IntVar(&f.Workers, "workers", runtime.GOMAXPROCS(0), "`number` of parts of a proof that are checked at the same time")
	flags.BoolVar(&f.relaxed, "relaxed", false, relaxedHelp)
	flags.DurationVar(&f.timeout, "timeout", 0, "`TIME` after which the check ends early; 0: no limit")
}

// validate returns an error for flags with unknown values.
func (f *checkFlags) validate() error {
	if f.show != "auto" && f.show != "on" && f.show != "off" {
		return flagError("progress", fmt.Errorf("%q: expected auto, on or off", f.show))
	}
	switch f.Mode {
	case drat.Forward, drat.Backward, drat.Auto:
	default:
		return flagError("mode", fmt.Errorf("%q: expected forward, backward or auto", f.Mode))
	}
	switch f.Format {
	case drat.DRAT, drat.LRAT, drat.AnyFormat:
	default:
		return flagError("format", fmt.Errorf("%q: expected drat, lrat or auto", f.Format))
	}
	if f.timeout < 0 {
		return flagError("timeout", fmt.Errorf("%v: expected 0 or more", f.timeout))
	}
	if f.Workers < 1 {
		return flagError("workers", fmt.Errorf("%d: expected 1 or more", f.Workers))
	}
	if f.lrat != "" && (f.Mode == drat.Forward || f.Format == drat.LRAT) {
		return flagError("lrat", errors.New("the proof must be checked backward: expected a DRAT proof, without --mode forward"))
	}
	return nil
}

// runCheck checks a proof. An unreadable input is an InputError.
func (a *app) runCheck(formulaPath, proofPath string, f checkFlags) (*checkResult, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	o := f.Options
	if formulaPath == "-" && proofPath == "-" {
		return nil, run.InputError{Err: errors.New("check: formula and proof cannot both be standard input")}
	}
	if err := checkPlaces(append(a.streamPlaces(), input("", formulaPath), input("", proofPath), output("lrat", f.lrat))...); err != nil {
		return nil, err
	}
	formula, err := a.readFormula(formulaPath, sat.ReadOptions{Relaxed: a.relaxedWarnings(f.relaxed), Cubes: new(sat.Formula)}) // a proof needs no cubes
	if err != nil {
		return nil, run.InputError{Err: err}
	}
	proof, name := io.NopCloser(a.stdin), "stdin"
	if proofPath != "-" {
		if proof, err = os.Open(proofPath); err != nil {
			return nil, run.InputError{Err: err}
		}
		name = proofPath
		o.Reopen = reopening(proofPath)
	}
	defer proof.Close()
	var hints *outfile.Compressed
	if f.lrat != "" {
		if hints, err = outfile.CreateCompressed(f.lrat); err != nil {
			return nil, flagError("lrat", err)
		}
		o.LRAT = hints
	}
	line := a.startProgress(f.show, "step")
	defer line.removeLine()
	var last drat.Report
	o.Progress = func(r drat.Report) {
		last = r
		if line.on {
			showCheck(line, r)
		}
	}
	interrupted, ignore, err := f.listen(a, hints)
	if err != nil {
		return nil, err
	}
	defer ignore()
	o.Interrupted = interrupted
	start := time.Now()
	r, err := drat.Check(formula.Clauses(), proof, name, o)
	if err != nil && !r.Verified {
		if hints != nil {
			hints.DiscardFile()
		}
		return newUnknownResult(err, last, time.Since(start))
	}
	c := newCheckResult(r, formula.DNF, time.Since(start))
	if hints != nil {
		c.keepHints(hints, f.lrat, err)
	}
	return c, nil
}

// largeProof is the number of bytes from which on a proof is worth all cores. A smaller one takes about a second or
// less on one core.
const largeProof = 1 << 20

// reopening returns a function that opens a large file again, and nil if the file is small or can be read only once.
func reopening(path string) func() (io.ReadCloser, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() < largeProof {
		return nil
	}
	return func() (io.ReadCloser, error) { return os.Open(path) }
}

// newUnknownResult returns the result of a check that an error has ended, with the counts of the last report, if
// the check was interrupted. Every other error is an error of the input, even if the time has just ended.
func newUnknownResult(err error, last drat.Report, took time.Duration) (*checkResult, error) {
	if !errors.Is(err, drat.ErrInterrupted) {
		return nil, run.InputError{Err: err}
	}
	c := newCheckResult(last, false, took)
	c.Verdict, c.Reason = "UNKNOWN", "the check was interrupted: the counts are of the steps before"
	if last.Step == 0 { // no report has come yet
		c.Proof, c.Format, c.Mode = "", "", ""
	}
	return c, nil
}

// listen returns a function that reports whether the check shall end: after Ctrl-C, SIGTERM, or the time of
// --timeout. A second signal discards the file of --lrat and ends the program at once.
func (f *checkFlags) listen(a *app, hints *outfile.Compressed) (interrupted func() bool, ignore func(), err error) {
	log, err := a.newLogger("warning")
	if err != nil {
		return nil, nil, err
	}
	asked, ignore := listenForSignals(log, func() {
		if hints != nil {
			hints.DiscardFile()
		}
	})
	begun := time.Now()
	return func() bool { return asked() || f.timeout > 0 && time.Since(begun) >= f.timeout }, ignore, nil
}

// keepHints completes the file of an LRAT proof, or gives it up if the proof is not verified or the file was not
// written.
func (c *checkResult) keepHints(file *outfile.Compressed, name string, err error) {
	if c.Verdict != "VERIFIED" {
		file.DiscardFile()
		return
	}
	if err == nil {
		err = file.CommitFile()
	} else {
		file.DiscardFile()
	}
	if err == nil {
		c.Written = name
		return
	}
	c.WrittenLemmas, c.WrittenDeletions = 0, 0 // of a file that does not exist
	if c.unwritten = errors.Is(err, drat.ErrInterrupted); !c.unwritten {
		c.trouble = fmt.Errorf("--lrat: %w", err)
	}
}

// newCheckResult returns the result of a check; dnf means that the input was a p dnf.
func newCheckResult(r drat.Report, dnf bool, took time.Duration) *checkResult {
	c := &checkResult{
		Verdict: "VERIFIED", Reason: r.Refusal, Proof: "drat", Format: "text", Mode: "forward", Step: r.Step, Line: r.Line, Offset: r.Offset,
		Lemmas: r.Lemmas, Checked: r.Checked, Core: r.CoreClauses, RAT: r.RAT, Hints: r.Hints, Deletions: r.Deletions, Ignored: r.Ignored,
		Missing: r.Missing, Unused: r.Unused, Extensions: r.Extensions, Tautology: r.Verified && dnf,
		Workers: max(r.Workers, 1), Memory: r.Bytes, Seconds: took.Seconds(),
		WrittenLemmas: r.WrittenLemmas, WrittenDeletions: r.WrittenDeletions,
	}
	if !r.Verified {
		c.Verdict = "NOT VERIFIED"
	}
	if r.LRAT {
		c.Proof = "lrat"
	}
	if r.Binary {
		c.Format = "binary"
	}
	if r.Backward {
		c.Mode = "backward"
	}
	return c
}

// showCheck shows the progress: the steps read, and in a backward check also the steps undone.
func showCheck(line *progress, r drat.Report) {
	read := r.Lemmas + r.Deletions + r.Unused
	if r.Undone+r.Remaining > 0 {
		line.setLabel("checking backward")
		line.setTotal(read + r.Undone + r.Remaining)
	}
	line.setCount(read + r.Undone)
}

// readFormula reads the formula in a file, or in standard input for "-".
func (a *app) readFormula(path string, o sat.ReadOptions) (*sat.Formula, error) {
	if path == "-" {
		return o.Read(a.stdin, "stdin")
	}
	return o.ReadFile(path)
}

// printCheck prints a verdict as drat-trim does, with the counts in comments before it.
func (a *app) printCheck(r *checkResult) error {
	text := fmt.Sprintf("c %s (%s by RAT) and %s in %s", units.Things(r.Lemmas, "lemma"), units.Count(r.RAT), units.Things(r.Deletions, "deletion"), units.Seconds(r.Seconds))
	if r.Format != "" {
		text += ", " + r.Format + " format"
	}
	text += "\n"
	if r.Proof == "lrat" {
		text += fmt.Sprintf("c LRAT, %s\n", units.Things(r.Hints, "hint"))
	}
	if r.Mode == "backward" {
		text += "c checked backward: " + units.Things(r.Checked, "lemma")
		if r.Verdict == "VERIFIED" {
			text += fmt.Sprintf(", with %s of the formula", units.Things(r.Core, "clause"))
		}
		text += "\n"
	}
	if r.Written != "" {
		text += fmt.Sprintf("c LRAT proof %s: %s and %s\n", r.Written, units.Things(r.WrittenLemmas, "lemma"), units.Things(r.WrittenDeletions, "deletion"))
	}
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
		text += fmt.Sprintf("c steps after the empty clause was derived, not needed: %s\n", units.Count(r.Unused))
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
