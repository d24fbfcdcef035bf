package proofs

import (
	"errors"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/run/checkpoint"
)

// The logs of a proof survive checkpoints in a file beside them. Each checkpoint adds the logs
// since the previous checkpoint to that file (checkpoint.Logs). So the proof at the end has the
// logs of all runs.

// Resume takes over, on rank 0, the logs of the earlier runs up to a checkpoint.
func (s *Spool) Resume(path string, upTo run.LogMark) (err error) {
	s.kept, err = checkpoint.OpenLogsOf(path, upTo)
	return err
}

// HandOver sends the logs since the last checkpoint to rank 0. After an error the spool has failed, and
// keeps its logs.
func (s *Spool) HandOver(t comm.Transport) error {
	if !s.alone {
		return nil
	}
	err := s.Collect(t)
	if err == nil && t.Rank() != 0 {
		err = s.forget()
	}
	s.noteFailure(err)
	return err
}

// Keep moves, on rank 0, all logs of the spool into the file beside a checkpoint. It returns the
// mark of that file.
func (s *Spool) Keep(path string) (*run.LogMark, error) {
	if err := errors.Join(s.Failed(), s.own(path)); err != nil {
		return nil, err
	}
	checkpoint.DropOldLogs(path, s.kept)
	logs := make([]checkpoint.Log, len(s.streams))
	for i, t := range s.streams {
		logs[i] = t
	}
	if err := s.kept.Append(logs); err != nil {
		return nil, err // all logs are still in the spool
	}
	mark := s.kept.Mark()
	return &mark, s.forget()
}

// own makes kept the file of logs beside a checkpoint, which begins with the logs of the earlier runs.
func (s *Spool) own(path string) (err error) {
	if s.ours {
		return nil
	}
	if err := checkpoint.MakeWay(path, s.kept); err != nil {
		return err
	}
	var next *checkpoint.Logs
	if s.kept == nil {
		next, err = checkpoint.CreateLogs(checkpoint.LogsOf(path))
	} else {
		next, err = s.kept.Continue(checkpoint.LogsOf(path))
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
