// Package proofs keeps the logs of the shares of a run for a proof: in a spool of each process,
// in a file beside each checkpoint, and at the end on rank 0, where the proof is made from all
// logs.
package proofs

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/run/checkpoint"
)

// Spool keeps the logs of the shares of this process, for a proof. It keeps all streams in one
// temporary file, block by block. It keeps the offsets of the blocks in memory, 16 bytes per
// block of 64 KiB. The file is in the directory for temporary files (TMPDIR) and disappears with
// the process: if the system allows it, the file has no name. Spool is a run.Spool.
type Spool struct {
	file  *outfile.Scratch
	alone bool             // the spool belongs to one rank only, whose logs must be sent to rank 0
	kept  *checkpoint.Logs // logs of the earlier runs, and of this run up to a checkpoint; or nil
	ours  bool             // kept is the file beside the checkpoint, to which logs are added

	mu      sync.Mutex // all ranks on goroutines use one spool
	size    int64
	streams []*spooled
	err     error // the first error of a write or of HandOver
}

// spooled is one stream of a spool. It implements run.Stream and must not be read while it is
// written.
type spooled struct {
	file   *outfile.Scratch
	blocks []block
	size   int64
}

// block is the place of a block of a stream in the file: the bytes of the stream from offset from
// on, up to the next block, are in the file from offset at on.
type block struct{ from, at int64 }

// Open returns an empty spool. alone means that the spool belongs to one rank only, whose logs
// must be sent to rank 0.
func Open(alone bool) (*Spool, error) {
	file, err := outfile.CreateScratch()
	if err != nil {
		return nil, fmt.Errorf("there is no room for the logs of a proof: %w", err)
	}
	return &Spool{file: file, alone: alone}, nil
}

// Close closes and removes the file.
func (s *Spool) Close() {
	s.file.Close()
	if s.kept != nil {
		s.kept.Close()
	}
}

// stream adds a stream.
func (s *Spool) stream() *spooled {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &spooled{file: s.file}
	s.streams = append(s.streams, t)
	return t
}

// Sink returns a function that writes the blocks of a log to a new stream.
func (s *Spool) Sink() func(block []byte) {
	t := s.stream()
	return func(data []byte) { s.append(t, data) }
}

// append appends data to a stream. After an error it does nothing.
func (s *Spool) append(t *spooled, data []byte) {
	s.mu.Lock()
	at, failed := s.size, s.err != nil
	s.size += int64(len(data))
	s.mu.Unlock()
	if failed || len(data) == 0 {
		return
	}
	if _, err := s.file.WriteAt(data, at); err != nil {
		s.noteFailure(fmt.Errorf("there is no room for the logs of a proof after %d bytes: %w", at, outfile.NameError(err, os.TempDir())))
		return
	}
	t.blocks = append(t.blocks, block{t.size, at})
	t.size += int64(len(data))
}

// noteFailure keeps the first error that is not nil.
func (s *Spool) noteFailure(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
}

// Failed returns the first error of a write or of HandOver, or nil.
func (s *Spool) Failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Logs returns the streams in the form that Merge needs.
func (s *Spool) Logs() (logs []run.Stream) {
	if s.kept != nil {
		for _, one := range s.kept.All() {
			logs = append(logs, one)
		}
	}
	for _, t := range s.streams {
		logs = append(logs, t)
	}
	return logs
}

// Size returns the length of the stream in bytes.
func (t *spooled) Size() int64 { return t.size }

// ReadAt implements io.ReaderAt. The bytes may lie in several blocks.
func (t *spooled) ReadAt(p []byte, from int64) (n int, err error) {
	i, found := slices.BinarySearchFunc(t.blocks, from, func(b block, from int64) int { return cmp.Compare(b.from, from) })
	if !found {
		i--
	}
	for ; n < len(p) && from < t.size; i++ {
		end := t.size
		if i+1 < len(t.blocks) {
			end = t.blocks[i+1].from
		}
		b := t.blocks[i]
		k, err := t.file.ReadAt(p[n:n+int(min(int64(len(p)-n), end-from))], b.at+from-b.from)
		n, from = n+k, from+int64(k)
		if err != nil {
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
