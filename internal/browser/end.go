package browser

import (
	"bytes"
	"fmt"
	"sync"
	"time"
)

// Why a browser has ended is known from its exit status and its last messages. A browser that has
// ended by itself would otherwise be a failure without a reason.

// said is the number of bytes of a browser's standard error that errors show.
const said = 4096

// tail keeps the last bytes that were written to it. It implements io.Writer.
type tail struct {
	mu   sync.Mutex
	last []byte
}

// Write keeps the end of the bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-said):]...)
	if extra := len(t.last) - said; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(p), nil
}

// String returns the kept bytes without white space at their ends.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.last))
}

// lingering is the longest time between the end of a browser's answers and the end of its process.
const lingering = 10 * time.Second

// explainEnd returns an error with the exit status of the browser and its last messages. The
// browser has closed its answers.
func (b *Browser) explainEnd() error {
	state := "it has closed its answers and still runs"
	select {
	case <-b.exited:
		state = b.cmd.ProcessState.String()
	case <-time.After(lingering):
	}
	return fmt.Errorf("the browser has ended: %s; the end of its standard error: %q", state, b.said)
}
