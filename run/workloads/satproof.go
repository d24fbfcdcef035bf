package workloads

import (
	"errors"
	"fmt"
	"io"
	"time"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/sat/proof"
)

// Proof describes a proof that was written.
type Proof struct {
	Path      string
	Lemmas    int64 // including the empty clause
	Deletions int64
	Bytes     int64 // before compression
	Seconds   float64
}

// certificate is a proof that may be written.
type certificate struct {
	file   *outfile.Compressed
	draft  *outfile.Scratch // of an LRAT proof, in DRAT; nil: the writer writes to the file
	until  *stoppable
	writer *proof.Writer
}

// giveUp removes a proof that is not complete.
func (c *certificate) giveUp() {
	c.file.DiscardFile()
	c.closeDraft()
}

// closeDraft removes the draft, if there is one.
func (c *certificate) closeDraft() {
	if c.draft != nil {
		c.draft.Close()
	}
}

// stoppable is a writer that returns an error after the run is interrupted.
type stoppable struct {
	io.Writer
	stopped func() bool // nil: never
}

// Write writes data, or returns run.ErrInterrupted.
func (s *stoppable) Write(data []byte) (int, error) {
	if s.stopped != nil && s.stopped() {
		return 0, run.ErrInterrupted
	}
	return s.Writer.Write(data)
}

// stoppableStream is a log whose reading returns an error after the run is interrupted. All logs are read before the
// first byte of the proof is written.
type stoppableStream struct {
	run.Stream
	stopped func() bool // nil: never
}

// ReadAt reads data, or returns run.ErrInterrupted.
func (s stoppableStream) ReadAt(data []byte, from int64) (int, error) {
	if s.stopped != nil && s.stopped() {
		return 0, run.ErrInterrupted
	}
	return s.Stream.ReadAt(data, from)
}

// beginProof opens the file of the proof, if one is requested.
func (w *SAT) beginProof() error {
	if w.Proof == "" {
		return nil
	}
	file, err := outfile.CreateCompressed(w.Proof)
	if err != nil {
		return run.FlagError("proof", err)
	}
	c := &certificate{file: file, until: &stoppable{Writer: file}}
	format := w.ProofFormat
	if w.LRAT {
		if c.draft, err = outfile.CreateScratch(); err != nil {
			file.DiscardFile()
			return run.FlagError("proof", fmt.Errorf("there is no room for the draft of a proof: %w", err))
		}
		c.until.Writer, format = c.draft, proof.Binary
	}
	c.writer = proof.NewWriter(c.until, format)
	w.proof = c
	w.scratch.Store(file)
	return nil
}

// Prove writes the proof that the logs of all shares give. If it is interrupted, it removes the
// proof.
func (w *SAT) Prove(logs []run.Stream, r *run.Result, interrupted func() bool) error {
	c, start := w.proof, time.Now()
	w.proof = nil
	defer w.scratch.Store(nil)
	c.until.stopped = interrupted
	streams := make([]proof.Stream, len(logs))
	for i, l := range logs {
		streams[i] = stoppableStream{l, interrupted}
	}
	err := w.mergeLogs(c.writer, streams, w.treeNodes(r))
	if err == nil {
		err = c.writer.Flush()
	}
	lemmas, deletions := c.writer.LemmaCount(), c.writer.DeletionCount()
	if err == nil && c.draft != nil {
		lemmas, deletions, err = w.writeHints(c)
	}
	switch {
	case errors.Is(err, run.ErrInterrupted):
		c.giveUp()
		return run.ErrInterrupted
	case err != nil:
		c.giveUp()
		return fmt.Errorf("--proof: %w", err)
	}
	c.closeDraft()
	if err := c.file.CommitFile(); err != nil {
		return fmt.Errorf("--proof: %w", err)
	}
	w.proved = &Proof{w.Proof, lemmas, deletions, c.file.WrittenBytes(), time.Since(start).Seconds()}
	return nil
}

// treeNodes returns the number of nodes in the tree of a run. Steps of cubes are no nodes.
func (w *SAT) treeNodes(r *run.Result) int64 {
	if w.ruleName() == cubesRule {
		return r.Expanded - r.Counts.Sums[SATSteps]
	}
	return r.Expanded
}

// mergeLogs writes the proof that the streams give, for a search of the given number of nodes.
func (w *SAT) mergeLogs(out *proof.Writer, streams []proof.Stream, nodes int64) error {
	if w.ruleName() == cdclRule {
		_, err := proof.MergeAttempts(out, streams)
		return err
	}
	merge := proof.MergeLogs
	if w.ruleName() == cubesRule && w.cubes.Shared {
		merge = proof.MergeLearntFirst
	}
	merged, err := merge(out, streams)
	if err == nil && merged != nodes {
		err = fmt.Errorf("the logs have %d nodes, but the search has counted %d", merged, nodes)
	}
	return err
}

// Close gives up a proof that was not made. It must be called when the run is over,
// however it has ended, and may be called twice.
func (w *SAT) Close() {
	if w.proof != nil {
		w.proof.giveUp()
		w.proof = nil
		w.scratch.Store(nil)
	}
}

// Abandon removes the temporary files of a process that ends at once. It may be called from any
// goroutine and at any time, unlike the other methods.
func (w *SAT) Abandon() {
	if file := w.scratch.Load(); file != nil {
		file.RemoveTemporary()
	}
}
