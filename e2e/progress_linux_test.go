package e2e

import (
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// On a terminal a bar tells how far the search is, with the share that is done.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	keys, screen := terminal(t)
	cmd := exec.Command(treesplit(t, none), "uts", "--tree", "T1WL", "-n", "2")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // of standard input
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	seen := output{match: regexp.MustCompile(`\[[=>-]+\] [1-9]\d* nodes, \S+ a second, \d+\.\d+ % done, \d+ % idle`), found: make(chan struct{})}
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
	defer guard.Stop()
	select {
	case <-seen.found:
	case <-read:
		t.Errorf("ended without a bar: %q", seen.String())
	}
	if _, err := keys.Write([]byte{3}); err != nil { // Ctrl-C
		t.Fatal(err)
	}
	<-read
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 3 {
		t.Errorf("status %d: %s", status, plain(seen.String()))
	}
}
