//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// interrupting is a writer that sends SIGINT to this process when it is first written to.
type interrupting struct{ bytes.Buffer }

func (w *interrupting) Write(p []byte) (int, error) {
	if w.Len() == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGINT)
	}
	return w.Buffer.Write(p)
}

// An interrupted test reports the runs that were complete, and does not wait for the other ones.
func TestChaosInterrupted(t *testing.T) {
	const runs = 1000
	handled := make(chan os.Signal, 1) // so that a late signal does not end the test
	signal.Notify(handled, syscall.SIGINT)
	defer signal.Stop(handled)
	var out interrupting
	var stderr bytes.Buffer
	status := Main(strings.Fields("chaos --runs 1000 --workers 2 --verbose"), nil, &out, &stderr)
	complete := strings.Count(out.String(), "digest")
	if status != statusStopped || stderr.Len() > 0 || complete == 0 || complete >= runs {
		t.Errorf("status %d, %d runs, %s", status, complete, &stderr)
	}
	if _, summary, _ := strings.Cut(out.String(), " from seed 0 on: every answer was right"); summary == "" {
		t.Errorf("no summary in %s", &out)
	}
}
