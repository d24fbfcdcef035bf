package process

import (
	"io"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A program that has exited is reported as such, however late this process notices the exit. Only a program
// that still runs has closed its output.
func TestLateExit(t *testing.T) {
	for program, want := range map[string]string{
		"exit 0":          "the worker exited with status 0: expected an answer",
		"exit 3":          "the worker ended (exit status 3): expected an answer",
		"kill -SEGV $$":   "the worker ended (signal: segmentation fault): expected an answer",
		"kill -KILL $$":   "the worker ended (signal: killed): expected an answer",
		"exec sleep 1000": "the worker closed its standard input or output without an answer",
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			p := &process{cmd: exec.Command("sh", "-c", "ulimit -c 0; "+program), exited: make(chan struct{})}
			setGroup(p.cmd)
			started := make(chan error)
			go func() {
				runtime.LockOSThread() // the program ends with its thread
				defer runtime.UnlockOSThread()
				started <- p.cmd.Start()
				time.Sleep(2 * leaveTime) // explain gives up before
				p.status = p.cmd.Wait()
				close(p.exited)
			}()
			if err := <-started; err != nil {
				t.Fatal(err)
			}
			for !strings.HasPrefix(program, "exec") && !hasEnded(p.cmd.Process) {
				time.Sleep(time.Millisecond)
			}
			if err := p.explain(io.EOF, time.Minute); err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
