package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal opens a pseudo-terminal: what is written to keys is typed at screen.
func terminal(t *testing.T) (keys, screen *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { keys.Close() })
	locked, number := int32(0), uint32(0)
	control(t, keys, syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	control(t, keys, syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{24, 100} // rows and columns
	control(t, keys, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	return keys, screen
}

func control(t *testing.T, f *os.File, request uintptr, arg unsafe.Pointer) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(arg)); errno != 0 {
		t.Fatalf("ioctl %x: %v", request, errno)
	}
}

// interruptAt runs the program on a terminal and presses Ctrl-C when there is a match on the
// screen. It returns what the screen had then and in the end, without what moves the cursor.
func interruptAt(t *testing.T, match *regexp.Regexp, args ...string) (status int, before, after string) {
	t.Helper()
	keys, screen := terminal(t)
	cmd := exec.Command(treesplit(t, none), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // of standard input
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	seen := output{match: match, found: make(chan struct{})}
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
		t.Fatalf("%v: ended before a match of %v: %s", args, match, &seen)
	}
	before = plain(seen.String())
	if _, err := keys.Write([]byte{3}); err != nil { // Ctrl-C
		t.Fatal(err)
	}
	<-read
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), before, plain(seen.String())
}

// On a terminal the table grows above a line that tells how far the search is, and Ctrl-C
// ends it with what is known.
func TestBatchOnATerminal(t *testing.T) {
	t.Parallel()
	file := write(t, "endless.csv", []byte(endless))
	status, before, after := interruptAt(t, atTheThird, "puzzle", "--batch", file, "--heuristic", "md", "-n", "2")
	if !rows.MatchString(before) {
		t.Errorf("at the third board the screen has:\n%s", before)
	}
	if status != 3 || !strings.Contains(after, "stopped early (interrupted): 1 of 3 boards are not solved\n") {
		t.Errorf("status %d:\n%s", status, after)
	}
	if n := strings.Count(after, "board   moves"); n != 1 {
		t.Errorf("%d headings:\n%s", n, after)
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// plain is what was written to a terminal without what moves its cursor.
func plain(text string) string {
	return strings.ReplaceAll(escapes.ReplaceAllString(text, ""), "\r\n", "\n")
}
