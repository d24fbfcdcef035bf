package drat

import (
	"errors"
	"fmt"
	"io"
)

// ErrInterrupted is the error of a check that Options.Interrupted has ended.
var ErrInterrupted = errors.New("the check was interrupted")

// Mode is the order in which the lemmas of a proof are checked.
type Mode string

const (
	// Forward checks every lemma, in the order of the proof, in memory for the clauses that exist
	// at one time.
	Forward Mode = "forward"
	// Backward reads the whole proof and checks the lemmas that the refutation needs, from the
	// last to the first. A proof is verified even if a lemma that is not needed does not hold.
	Backward Mode = "backward"
	// Auto checks backward. It checks forward if the proof takes more memory than backward
	// checking may use, or if its lemmas have the form of a tree search.
	Auto Mode = "auto"
)

// Format is the format of a proof.
type Format string

const (
	DRAT      Format = "drat"
	LRAT      Format = "lrat"
	AnyFormat Format = "auto" // the first bytes show the format
)

// Options control a Check. The zero value suits most callers.
type Options struct {
	// Mode is the order in which lemmas are checked. The empty string means Forward.
	Mode Mode
	// Format is the format of the proof. The empty string means DRAT. A proof in LRAT is checked
	// in one pass; the mode must be Auto or the empty string.
	Format Format
	// Workers is the number of goroutines that check parts of a proof at the same time: of a proof
	// in LRAT, and of a proof that is checked forward. One more reads the proof. Numbers below 2
	// mean one for all. The result is the same, except for Report.Workers and Report.Bytes, and see Reopen.
	Workers int
	// Reopen, if not nil, opens the proof again at its beginning. Then mode Auto with at least four workers checks a
	// proof forward first, and as usual only if it is not verified that way. The verdict and a refusal are the same
	// as with fewer workers. The counts of a verified proof are the counts of mode Forward.
	Reopen func() (io.ReadCloser, error)
	// LRAT, if not nil, receives an LRAT proof, in text, of a DRAT proof that is verified: the lemmas
	// that the refutation needs, with their hints. The proof is then checked backward, and the mode
	// must not be Forward.
	LRAT io.Writer
	// Interrupted, if not nil, is asked from time to time, by one goroutine at a time, whether to end the
	// check. Check then returns an error in which errors.Is finds ErrInterrupted. If it was writing the LRAT
	// proof, Report.Verified is true, and the LRAT proof is not complete. A call of the proof's Read, and of
	// Interrupted, may still be in progress after that.
	Interrupted func() bool
	// Progress, if not nil, is called about every ProgressSteps steps with the counts so far, by
	// one goroutine at a time.
	Progress func(Report)
}

// validate returns an error if a mode or a format does not exist.
func (o Options) validate() error {
	switch o.Mode {
	case Forward, Backward, Auto, "":
	default:
		return fmt.Errorf("mode %q: expected forward, backward or auto", o.Mode)
	}
	if o.LRAT != nil && (o.Mode == Forward || o.Mode == "" || o.Format == LRAT) {
		return fmt.Errorf("a proof of mode %q and format %q cannot become an LRAT proof: expected a DRAT proof and the mode backward or auto", o.Mode, o.Format)
	}
	switch o.Format {
	case DRAT, LRAT, AnyFormat, "":
		return nil
	}
	return fmt.Errorf("format %q: expected drat, lrat or auto", o.Format)
}

// ProgressSteps is the number of steps of a proof between two calls of Progress.
const ProgressSteps = 1 << 12

// Report is the result of a check.
type Report struct {
	// Verified means that the empty clause was derived: the formula is unsatisfiable.
	Verified bool
	// Refusal gives the place and the reason of a refusal, as "line 12: ..." or "step 5 (byte
	// 31): ...". It is empty for a verified proof.
	Refusal string
	// Step is the number of the step, from 1, that derived the empty clause or was refused. It is
	// 0 if unit propagation alone refutes the formula. A proof that ends too early is refused at
	// its last step.
	Step int64
	// Line is the line of that step, from 1, in a text proof, and 0 in a binary one.
	Line int64
	// Offset is the position of the step's first byte in the plain proof.
	Offset int64
	// Binary means that the proof is in the binary format.
	Binary bool

	// LRAT means that the proof is in LRAT.
	LRAT bool
	// Backward means that the proof is checked backward. If it is refused in the first pass, no lemma was
	// checked.
	Backward bool

	Lemmas    int64 // lemmas up to the last step that was applied
	Checked   int64 // lemmas checked, including the last
	RAT       int64 // lemmas that are not implied by unit propagation
	Deletions int64 // deletions read, up to Step
	Ignored   int64 // deletions of clauses that are unit at the top level
	Missing   int64 // deletions of missing clauses
	// CoreClauses is the number of clauses of the formula that a backward check marked. They are
	// unsatisfiable.
	CoreClauses int64
	Undone      int64 // steps that a backward check has undone so far
	Remaining   int64 // steps that a backward check has yet to undo
	Unused      int64 // steps after the one that derived the empty clause
	// Extensions is the number of variables that occur in the steps but not in the clauses of the
	// formula.
	Extensions int
	Hints      int64 // hints of an LRAT proof
	// WrittenLemmas and WrittenDeletions count the steps of the LRAT proof that was written.
	WrittenLemmas, WrittenDeletions int64
	// Bytes is the memory that holds the clauses and the steps.
	Bytes int64
	// Workers is the number of workers that the proof was divided among, and 0 if it was not divided.
	Workers int
}

// addCounts adds the counts of steps that follow the steps of r.
func (r *Report) addCounts(more Report) {
	if more.Step > 0 {
		r.Step, r.Line, r.Offset = more.Step, more.Line, more.Offset
	}
	r.Refusal = more.Refusal
	r.Lemmas += more.Lemmas
	r.Checked += more.Checked
	r.RAT += more.RAT
	r.Deletions += more.Deletions
	r.Ignored += more.Ignored
	r.Missing += more.Missing
	r.Hints += more.Hints
}

// notePlace notes the place of a step.
func (r *Report) notePlace(p *parser) {
	r.Step, r.Offset = p.step, p.offset
	if !p.binary {
		r.Line = p.line
	}
}

// refuse notes that the step at a place was refused.
func (r *Report) refuse(at place, reason string) {
	r.Step, r.Line, r.Offset = at.step, at.line, at.offset
	where := fmt.Sprintf("line %d", at.line)
	if r.Binary {
		where = fmt.Sprintf("step %d (byte %d)", at.step, at.offset)
	}
	r.Refusal = where + ": " + reason
}
