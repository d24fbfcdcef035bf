package run

import (
	"testing"

	"treesplit/search"
)

// loggedProblem is a problem whose shares are to keep logs.
type loggedProblem struct{ Problem }

func (loggedProblem) Logged() bool { return true }

func (loggedProblem) LogTo(search.Work, func(block []byte)) (flush func()) { return func() {} }

// A log that cannot be written ends the run.
func TestLogsThatFailEndTheRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	logs, err := openSpool(loggedProblem{}, false)
	if err != nil {
		t.Fatal(err)
	}
	h, sink := watchLogs(logs, Hooks{}), logs.Sink()
	sink([]byte("fits"))
	if h.Interrupted() {
		t.Fatal(logs.Failed())
	}
	logs.Close()
	sink([]byte("does not"))
	if !h.Interrupted() {
		t.Error("the run goes on")
	}
}
