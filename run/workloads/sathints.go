package workloads

import (
	"errors"
	"fmt"
	"io"
	"os"

	"treesplit/internal/outfile"
	"treesplit/sat/drat"
)

// draft is a DRAT proof in a temporary file, which becomes an LRAT proof: the search knows no hints, and a
// backward check finds them.
type draft struct{ *os.File }

// newDraft creates the file and removes its name, so that nothing is left of it.
func newDraft() (*draft, error) {
	file, err := os.CreateTemp("", "treesplit-proof-")
	if err != nil {
		return nil, fmt.Errorf("there is no room for the draft of a proof: %w", outfile.NameError(err, os.TempDir()))
	}
	os.Remove(file.Name()) // if this fails, close removes the file
	return &draft{file}, nil
}

// close removes the draft, or does nothing if there is none.
func (d *draft) close() {
	if d != nil {
		d.File.Close()
		os.Remove(d.Name())
	}
}

// stoppableReader is a reader that returns an error after the run is interrupted.
type stoppableReader struct {
	io.Reader
	stopped func() bool // nil: never
}

// Read reads data, or returns errStopped.
func (s stoppableReader) Read(data []byte) (int, error) {
	if s.stopped != nil && s.stopped() {
		return 0, errStopped
	}
	return s.Reader.Read(data)
}

// writeHints writes the LRAT proof that the draft gives, and returns the numbers of its lemmas and deletions.
func (w *SAT) writeHints(c *certificate) (lemmas, deletions int64, err error) {
	if _, err := c.draft.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	stopped := c.until.stopped
	r, err := drat.Check(w.formula.Clauses(), stoppableReader{c.draft, stopped}, "the draft of the proof",
		drat.Options{Mode: drat.Backward, LRAT: &stoppable{c.file, stopped}})
	if err == nil && !r.Verified {
		err = errors.New("the draft of the proof is refused: " + r.Refusal)
	}
	return r.WrittenLemmas, r.WrittenDeletions, err
}
