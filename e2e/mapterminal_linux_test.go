package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// drawn is the progress line of map on a terminal.
var drawn = regexp.MustCompile(`makespan \d+, bound \d+, gap \d+\.\d+ %, \d+\.\d s left`)

// On a terminal one line tells how good the best map is and how much time is left, and
// Ctrl-C ends the search with it.
func TestMapOnATerminal(t *testing.T) {
	t.Parallel()
	file := write(t, "objects.graph", []byte(objects(300, 900, 8)))
	for _, strategy := range []string{"auto", "bb"} {
		keys, screen := terminal(t)
		cmd := exec.Command(treesplit(t, none), "map", file, "-p", "40", "--strategy", strategy, "--time", "10m", "-n", "2")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // of standard input
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		screen.Close()
		seen := output{match: drawn, found: make(chan struct{})}
		read := make(chan struct{})
		go func() { // ends with an error once nobody has the screen open
			defer close(read)
			buffer := make([]byte, 4096)
			for {
				n, err := keys.Read(buffer)
				seen.Write(buffer[:n])
				if err != nil {
					return
				}
			}
		}()
		guard := time.AfterFunc(limit(), func() { cmd.Process.Kill() })
		select {
		case <-seen.found:
		case <-read:
			t.Fatalf("%s: ended before the line: %s", strategy, &seen)
		}
		if _, err := keys.Write([]byte{3}); err != nil { // Ctrl-C
			t.Fatal(err)
		}
		<-read
		cmd.Wait()
		guard.Stop()
		after := plain(seen.String())
		if status := cmd.ProcessState.ExitCode(); status != 3 || !strings.Contains(after, "ended: interrupted\n") || strings.Contains(after, "treesplit: makespan") {
			t.Errorf("%s: status %d:\n%s", strategy, status, after)
		}
	}
}
