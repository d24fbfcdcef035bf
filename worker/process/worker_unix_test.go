//go:build unix

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// shell returns the configuration of a worker that is a shell program.
func shell(program string, retries int) Config {
	return Config{Command: []string{"sh", "-c", program}, Timeout: time.Minute, Retries: retries, Name: "rank 7"}
}

// start launches a worker and accepts any first line.
func start(c Config) (*Worker, error) {
	w := Launch(c)
	return w, w.Begin([]byte("start\n"), func([]byte) error { return nil })
}

// expectLine returns a function that accepts one line only.
func expectLine(want string) func([]byte) error {
	return func(line []byte) error {
		if got := strings.TrimSpace(string(line)); got != want {
			return fmt.Errorf("the line is %q: expected %q", got, want)
		}
		return nil
	}
}

// A worker that has not begun is stopped at once, and its output does not count.
func TestStopBeforeBegin(t *testing.T) {
	w := Launch(shell(`echo early; while :; do :; done`, 0))
	w.config.Log = func(text string) { t.Error(text) }
	began := time.Now()
	if err := w.Stop(); err != nil || time.Since(began) >= stopTime {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if w.Begin([]byte("start\n"), expectLine("early")) == nil {
		t.Error("a worker that was stopped begins")
	}
}

// A program that does not exist is an error of Begin.
func TestNoProgram(t *testing.T) {
	c := shell("", 3)
	c.Command = []string{"/nonexistent/program"}
	if _, err := start(c); !errors.Is(err, errNoProgram) {
		t.Errorf("%v, want %v", err, errNoProgram)
	}
}

// Each request is answered by one line, and Stop ends the program in order.
func TestAsk(t *testing.T) {
	c := shell(`while read l; do echo "got $l"; case $l in *stop*) exit;; esac; done`, 0)
	w := Launch(c)
	if err := w.Begin([]byte("start\n"), expectLine("got start")); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", strings.Repeat("long", 100_000)} {
		if err := w.Ask([]byte(text+"\n"), expectLine("got "+text)); err != nil {
			t.Error(err)
		}
	}
	if err := w.Stop(); err == nil || !strings.Contains(err.Error(), "more than one line") {
		t.Errorf("the answer to the request to stop is accepted: %v", err)
	}
	if w.Ask([]byte("one\n"), expectLine("")) == nil || w.Stop() != nil {
		t.Error("a worker that was stopped answers")
	}
}

// A worker that fails gets the same request again, after a new start, as often as is allowed.
func TestRetries(t *testing.T) {
	for retries := range 4 {
		log := filepath.Join(t.TempDir(), "log")
		c := shell(`read l; echo hello; read l; echo "$l" >> `+log+`; [ $(wc -l < `+log+`) -gt 2 ] && echo answer; echo note >&2`, retries)
		var mu sync.Mutex
		var lines []string
		c.Log = func(text string) { mu.Lock(); lines = append(lines, text); mu.Unlock() }
		w, err := start(c)
		if err != nil {
			t.Fatal(err)
		}
		err = w.Ask([]byte("request\n"), expectLine("answer"))
		asked, _ := os.ReadFile(log)
		if want := strings.Repeat("request\n", min(retries+1, 3)); (err == nil) != (retries >= 2) || string(asked) != want {
			t.Errorf("%d retries: %v, the requests are %q, want %q", retries, err, asked, want)
		}
		if err != nil && !strings.Contains(err.Error(), "rank 7: request request: the worker exited with status 0") {
			t.Error(err)
		}
		if err != nil && !strings.HasSuffix(err.Error(), "; the end of its standard error: note") {
			t.Error(err)
		}
		if err := w.Stop(); err != nil {
			t.Error(err)
		}
		mu.Lock()
		if len(lines) == 0 {
			t.Error("the log has no line")
		}
		mu.Unlock()
	}
}

// Kill ends a request that is in flight, and gives its reason.
func TestKill(t *testing.T) {
	c := shell(`read l; echo hello; read l; echo asked >&2; while :; do :; done`, 100)
	asked, reason := make(chan bool, 1), errors.New("another rank has failed")
	c.Log = func(text string) {
		if text == "asked" {
			asked <- true
		}
	}
	w, err := start(c)
	if err != nil {
		t.Fatal(err)
	}
	go func() { <-asked; w.Kill(reason) }()
	if err := w.Ask([]byte("request\n"), expectLine("answer")); !errors.Is(err, reason) {
		t.Errorf("%v, want %v", err, reason)
	}
	if err := w.Stop(); err != nil {
		t.Error(err)
	}
}

// A program that exits is noticed, also if a process that has left its group holds its standard input
// and does not read: a long request then fills the pipe.
func TestExitDuringLongRequest(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir() // its removal ends the other process
	c := shell(`read l; exec 3<&0; setsid sh -c '> "$0/left"; while [ -d "$0" ]; do sleep 0.1; done' `+dir+` <&3 >/dev/null 2>&1 &
while ! [ -e `+dir+`/left ]; do sleep 0.01; done; echo hello`, 0)
	c.Timeout = 0
	w, err := start(c)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- w.Ask([]byte(strings.Repeat("long", 100_000)+"\n"), expectLine("")) }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "the worker exited with status 0") {
			t.Errorf("%v: expected that the worker has exited", err)
		}
	case <-time.After(time.Minute):
		t.Error("the request hangs")
	}
}

// A program that takes more memory than its limit fails.
func TestMemory(t *testing.T) {
	const program = `read l; x=a; while [ ${#x} -lt 100000000 ]; do x=$x$x; done; echo hello`
	for memory, works := range map[int64]bool{0: true, 64 << 20: false} {
		c := shell(program, 0)
		c.Memory = memory
		w, err := start(c)
		if (err == nil) != works {
			t.Errorf("with a limit of %d bytes: %v", memory, err)
		}
		if err := w.Stop(); err != nil {
			t.Error(err)
		}
	}
}

// parentVariable makes the test program start a worker and wait, until the test kills it.
const parentVariable = "TREESPLIT_TEST_PARENT"

func TestMain(m *testing.M) {
	if program := os.Getenv(parentVariable); program != "" {
		if _, err := start(shell(program, 0)); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		select {}
	}
	os.Exit(m.Run())
}

// The processes that a worker has started end when this process is killed.
func TestKilledParent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentVariable+"=read l; sleep 1000 & echo $! > "+file+".new; mv "+file+".new "+file+"; echo hello; read l")
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			fmt.Sscan(string(text), &pid)
			break
		}
		if time.Now().After(end) {
			t.Fatal("the worker has not started")
		}
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Fatal(err)
	}
	parent.Process.Kill()
	_ = parent.Wait()
	for end := time.Now().Add(time.Minute); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(state), ") Z ") {
			break // it has ended, and its new parent has not noticed
		}
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("a process of the worker lives on")
		}
	}
}
