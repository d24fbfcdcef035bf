package proofs

import (
	"errors"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/run/checkpoint"
)

// What shares log for a proof goes through checkpoints in a file beside them, to which each
// checkpoint adds what was logged since the one before (checkpoint.Logs). So a proof is made in
// the end of what all runs have logged.

// Resume takes over what the runs before had logged up to a checkpoint, on rank 0.
func (s *Spool) Resume(path string, upTo run.LogMark) (err error) {
	s.kept, err = checkpoint.OpenLogs(checkpoint.LogsOf(path), upTo)
	return err
}

// HandOver brings what was logged since the last checkpoint to rank 0.
func (s *Spool) HandOver(t comm.Transport) error {
	if !s.alone {
		return nil
	}
	err := s.Collect(t)
	if t.Rank() != 0 {
		err = errors.Join(err, s.forget())
	}
	return err
}

// Keep moves all that the spool has into the file beside a checkpoint, on rank 0, and says how
// far that has come.
func (s *Spool) Keep(path string) (*run.LogMark, error) {
	if err := errors.Join(s.Failed(), s.own(checkpoint.LogsOf(path))); err != nil {
		return nil, err
	}
	logs := make([]checkpoint.Log, len(s.streams))
	for i, t := range s.streams {
		logs[i] = t
	}
	if err := s.kept.Append(logs); err != nil {
		return nil, err // all of it is still in the spool
	}
	mark := s.kept.Mark()
	return &mark, s.forget()
}

// own makes kept a file of that name, with what runs before have logged in it.
func (s *Spool) own(path string) (err error) {
	if s.ours {
		return nil
	}
	var next *checkpoint.Logs
	if s.kept == nil {
		next, err = checkpoint.CreateLogs(path)
	} else {
		next, err = s.kept.Continue(path)
	}
	if err == nil {
		s.kept, s.ours = next, true
	}
	return err
}

// forget empties the spool.
func (s *Spool) forget() error {
	s.streams, s.size = nil, 0
	return s.file.Truncate(0)
}
