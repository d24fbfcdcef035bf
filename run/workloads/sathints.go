package workloads

import (
	"errors"
	"io"

	"treesplit/run"
	"treesplit/sat/drat"
)

// writeHints writes the LRAT proof that the draft gives. The draft is a DRAT proof: the search knows no
// hints, and a backward check finds them. It returns the numbers of its lemmas and deletions.
func (w *SAT) writeHints(c *certificate) (lemmas, deletions int64, err error) {
	if _, err := c.draft.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	stopped := c.until.stopped
	r, err := drat.Check(w.formula.Clauses(), c.draft, "the draft of the proof",
		drat.Options{Mode: drat.Backward, LRAT: &stoppable{c.file, stopped}, Interrupted: stopped})
	if errors.Is(err, drat.ErrInterrupted) {
		err = run.ErrInterrupted
	}
	if err == nil && !r.Verified {
		err = errors.New("the draft of the proof is refused: " + r.Refusal)
	}
	return r.WrittenLemmas, r.WrittenDeletions, err
}
