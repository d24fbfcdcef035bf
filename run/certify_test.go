package run

import (
	"errors"
	"testing"
)

// loggedProblem is a problem whose shares must keep logs.
type loggedProblem struct {
	Certified
	spool *failingSpool
}

func (loggedProblem) Logged() bool { return true }

func (p loggedProblem) OpenSpool(bool) (Spool, error) { return p.spool, nil }

// failingSpool is a spool whose Failed returns an error when the test sets one.
type failingSpool struct {
	Spool
	err error
}

func (s *failingSpool) Failed() error { return s.err }

// A log that cannot be written ends the run.
func TestLogsThatFailEndTheRun(t *testing.T) {
	spool := &failingSpool{}
	logs, err := openSpool(loggedProblem{spool: spool}, false)
	if err != nil {
		t.Fatal(err)
	}
	h := watchLogs(logs, Hooks{})
	if h.Interrupted() {
		t.Fatal(logs.Failed())
	}
	spool.err = errors.New("no room")
	if !h.Interrupted() {
		t.Error("the run goes on")
	}
}
