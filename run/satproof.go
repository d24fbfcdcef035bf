package experiment

import (
	"errors"
	"fmt"
	"time"

	"treesplit/sat/proof"
)

// Proof is a proof that was written.
type Proof struct {
	Path      string
	Lemmas    int64 // the empty clause too
	Deletions int64
	Bytes     int64 // before compression
	Seconds   float64
}

// certificate is a proof to be.
type certificate struct {
	file   *proofFile
	writer *proof.Writer
}

// beginProof opens the file of the proof, if one is wanted.
func (w *SAT) beginProof() error {
	if w.Proof == "" {
		return nil
	}
	file, err := createProof(w.Proof)
	if err != nil {
		return badFlag("proof", err)
	}
	w.proof = &certificate{file, proof.NewWriter(file, w.ProofFormat)}
	w.scratch.Store(file)
	return nil
}

// errStopped ends the writing of a proof that nobody waits for any more.
var errStopped = errors.New("interrupted")

// Prove writes the proof that the logs of all shares amount to. An interrupted one
// is given up, which is no error.
func (w *SAT) Prove(logs []proof.Stream, nodes int64, interrupted func() bool) error {
	c, start := w.proof, time.Now()
	w.proof = nil
	defer w.scratch.Store(nil)
	c.file.interrupted = interrupted
	merged, err := proof.Merge(c.writer, logs)
	switch {
	case err != nil:
	case merged != nodes:
		err = fmt.Errorf("the logs have %d nodes, the search has counted %d", merged, nodes)
	default:
		err = c.writer.Flush()
	}
	switch {
	case errors.Is(err, errStopped):
		c.file.Discard()
		return nil
	case err != nil:
		c.file.Discard()
		return fmt.Errorf("--proof: %w", err)
	}
	if err := c.file.Keep(); err != nil {
		return fmt.Errorf("--proof: %w", err)
	}
	w.proved = &Proof{w.Proof, c.writer.Lemmas(), c.writer.Deletions(), c.file.bytes, time.Since(start).Seconds()}
	return nil
}

// Proved is the proof that a run has written, or nil. On rank 0 alone.
func (w *SAT) Proved() *Proof { return w.proved }

// Close gives up a proof that was not made. It must be called when the run is over,
// however it has ended, and may be called twice.
func (w *SAT) Close() {
	if w.proof != nil {
		w.proof.file.Discard()
		w.proof = nil
		w.scratch.Store(nil)
	}
}

// Abandon removes what a process that ends at once would leave behind. Unlike the other
// methods it may be called from any goroutine, and at any time.
func (w *SAT) Abandon() {
	if file := w.scratch.Load(); file != nil {
		file.Abandon()
	}
}
