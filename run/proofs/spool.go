// Package proofs keeps what the shares of a run log for a proof: in a spool of each process, in a
// file beside each checkpoint, and in the end on rank 0, where the proof is made of all logs.
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

// Spool keeps what the shares of this process log, for a proof: all streams in one
// temporary file, block by block, with the places of the blocks in memory, 16 bytes for
// each 64 KiB. It lies in the directory for temporary files (TMPDIR) and is gone with
// the process, whatever becomes of that: where the system lets it the file has no name. It is
// a run.Spool.
type Spool struct {
	file  *os.File
	alone bool             // it is of one rank only, whose logs are to be brought to rank 0
	kept  *checkpoint.Logs // what the runs before have logged, and this one before a checkpoint; or nil
	ours  bool             // kept is the file beside the checkpoint, to which more is added

	mu      sync.Mutex // ranks on goroutines use one spool
	size    int64
	streams []*spooled
	err     error // the first of a write
}

// spooled is one stream of a spool. It implements run.Stream and must not be read
// while it is written.
type spooled struct {
	file   *os.File
	blocks []block
	size   int64
}

// block says where the bytes from one place of a stream on, up to those of the next
// block, lie in the file.
type block struct{ from, at int64 }

// Open returns an empty spool. alone says that it is of one rank only, whose logs are to be
// brought to rank 0.
func Open(alone bool) (*Spool, error) {
	file, err := os.CreateTemp("", "treesplit-proof-")
	if err != nil {
		return nil, fmt.Errorf("no room for the logs of a proof: %w", outfile.NameError(err, os.TempDir()))
	}
	os.Remove(file.Name()) // if that fails, close does it
	return &Spool{file: file, alone: alone}, nil
}

// Close gives the file up.
func (s *Spool) Close() {
	s.file.Close()
	os.Remove(s.file.Name())
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

// Sink returns what takes the blocks of a log into a stream of its own.
func (s *Spool) Sink() func(block []byte) {
	t := s.stream()
	return func(data []byte) { s.append(t, data) }
}

// append appends to a stream. After an error it does nothing.
func (s *Spool) append(t *spooled, data []byte) {
	s.mu.Lock()
	at, failed := s.size, s.err != nil
	s.size += int64(len(data))
	s.mu.Unlock()
	if failed || len(data) == 0 {
		return
	}
	if _, err := s.file.WriteAt(data, at); err != nil {
		s.mu.Lock()
		if s.err == nil {
			s.err = fmt.Errorf("no room for the logs of a proof, after %d bytes: %w", at, outfile.NameError(err, os.TempDir()))
		}
		s.mu.Unlock()
		return
	}
	t.blocks = append(t.blocks, block{t.size, at})
	t.size += int64(len(data))
}

// Failed returns the error that the writing has met, or nil.
func (s *Spool) Failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Logs are the streams as Merge wants them.
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

// Size is the length of the stream.
func (t *spooled) Size() int64 { return t.size }

// ReadAt reads from the blocks that the bytes lie in.
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
