package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const (
	maxOutput = maxLineBytes / 2 // bytes of standard output that are kept
	maxTail   = 4 << 10          // bytes of standard error
	askAgain  = 2 * time.Second  // time between two requests to a launcher
	drain     = 2 * time.Second  // time that processes started by it have to close its output
)

// DefaultGrace is the time that a process has to end after the request to end.
const DefaultGrace = 20 * time.Second

// process describes how a started program has ended.
type process struct {
	stdout, stderr []byte // the start of standard output, the end of standard error
	status         int    // -1: ended by a signal, or did not start
	seconds        float64
	asked          bool           // the sweep asked it to end, because the context ended
	late           bool           // the sweep asked it to end, because its time was over
	signal         syscall.Signal // signal that ended it, or 0
	heard          heard          // words found in the output of its launcher
	launch         string         // why its launcher has failed, if the program has not
	err            error          // it did not start, or printed too much
}

// executeCommand runs a command to its end. When the context ends or the limit is over, it asks the
// command to end, and kills it if it does not end in time: within the grace time if the context ends,
// otherwise within DefaultGrace.
func executeCommand(ctx context.Context, command []string, launched bool, limit, grace time.Duration) (p process) {
	cmd := exec.Command(command[0], command[1:]...)
	if launched && needsOpenInput(command) {
		r, w, err := os.Pipe()
		if err != nil {
			return process{status: -1, err: err}
		}
		defer r.Close()
		defer w.Close() // after the launcher has ended
		cmd.Stdin = r
	}
	isolateProcess(cmd)
	cmd.WaitDelay = drain
	out, tail := &head{max: maxOutput}, &tail{max: maxTail}
	words := [2]heard{} // one for each output; two goroutines write them
	ears := [2]*ear{{heard: &words[0]}, {heard: &words[1]}}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(out, ears[0]), io.MultiWriter(tail, ears[1])
	begin := time.Now()
	over, started := make(chan struct{}), make(chan error)
	var failed error
	go func() {
		failed = waitOnThread(cmd, started)
		close(over)
	}()
	if err := <-started; err != nil {
		return process{status: -1, err: err}
	}
	var timeUp <-chan time.Time
	if limit > 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		timeUp = t.C
	}
	select {
	case <-over:
	case <-ctx.Done():
		p.asked = true
		endProcess(cmd, launched, grace, over)
	case <-timeUp:
		p.late = true
		endProcess(cmd, launched, DefaultGrace, over)
	}
	p.seconds = time.Since(begin).Seconds()
	p.stdout, p.stderr, p.status = out.kept, tail.keptBytes(), cmd.ProcessState.ExitCode()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		p.signal = status.Signal()
	}
	for _, e := range ears {
		e.scanWholeLine()
	}
	p.heard = words[0].combineWith(words[1])
	if exit := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exit) && !errors.Is(failed, exec.ErrWaitDelay) {
		p.err = failed
	}
	if out.over {
		p.err = fmt.Errorf("more than %d bytes on standard output: expected one JSON object", maxOutput)
	}
	return p
}

// needsOpenInput reports whether the standard input of a launcher must stay open until the launcher has ended.
// MPICH's launcher tells the ranks the end of its input. If they have ended, a broken pipe ends the launcher. A
// program that reads its input gets an empty one.
func needsOpenInput(command []string) bool {
	kind, _ := launcherKind(command[0])
	return kind == kindMpirun && !slices.Contains(command, "-") && !slices.Contains(command, "/dev/stdin")
}

// waitOnThread starts a command and returns the error of its end. It keeps its thread until then,
// because on Linux the system asks the command to end when the thread that started it ends.
func waitOnThread(cmd *exec.Cmd, started chan<- error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	started <- err
	if err != nil {
		return err
	}
	return cmd.Wait()
}

// endProcess asks a process to end and returns when it has ended. After the grace time it kills the process.
// Ranks that a launcher has just started do not listen for signals yet, so that it asks a launcher again. The
// program does not count these signals.
func endProcess(cmd *exec.Cmd, launched bool, grace time.Duration, over <-chan struct{}) {
	terminate(cmd.Process)
	t := time.NewTimer(grace)
	defer t.Stop()
	again := time.NewTicker(askAgain)
	defer again.Stop()
	for {
		select {
		case <-over:
			return
		case <-again.C:
			if launched {
				terminate(cmd.Process)
			}
		case <-t.C:
			killGroup(cmd.Process)
			<-over
			return
		}
	}
}

// head keeps the start of the text written to it.
type head struct {
	kept []byte
	max  int
	over bool // there was more text
}

// Write keeps the part for which there is room.
func (h *head) Write(p []byte) (int, error) {
	room := h.max - len(h.kept)
	h.over = h.over || len(p) > room
	h.kept = append(h.kept, p[:min(room, len(p))]...)
	return len(p), nil
}

// tail keeps the end of the text written to it.
type tail struct {
	kept []byte
	max  int
}

// Write discards old text.
func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(0, len(p)-t.max):]...)
	if len(t.kept) > 2*t.max {
		t.kept = append(t.kept[:0], t.keptBytes()...)
	}
	return len(p), nil
}

func (t *tail) keptBytes() []byte { return t.kept[max(0, len(t.kept)-t.max):] }

// findJSONObject returns the JSON object on a program's standard output, among lines that a
// launcher may have written there.
func findJSONObject(stdout []byte) (json.RawMessage, error) {
	for line := range bytes.Lines(stdout) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] == '{' && json.Valid(line) {
			return bytes.Clone(line), nil
		}
	}
	return nil, errors.New("no JSON object on standard output")
}
