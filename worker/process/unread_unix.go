//go:build unix

package process

import (
	"bufio"
	"os"
	"syscall"
	"time"
)

// hasUnread reports whether the program has written something that was not read. It does not wait.
func hasUnread(r *bufio.Reader, out *os.File) (unread bool) {
	if r.Buffered() > 0 {
		return true
	}
	raw, err := out.SyscallConn()
	if err != nil {
		return false
	}
	out.SetReadDeadline(time.Time{})
	_ = raw.Read(func(fd uintptr) bool { // it fails if the pipe is closed; the exchange reports it
		var one [1]byte
		n, _ := syscall.Read(int(fd), one[:])
		unread = n > 0
		return true
	})
	return unread
}

// killGroup kills the process group of a program.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// wasKilled reports whether SIGKILL has ended a program.
func wasKilled(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
