//go:build unix

package process

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard kills the process group of a program when this process ends in any way, also by SIGKILL: the launcher of
// an MPI ends the other ranks like this when one rank fails. It is a shell that waits for the end of a pipe, whose
// other end only this process has.
type guard struct {
	shell *exec.Cmd
	pipe  *os.File
}

// startGuard starts a guard of the group of a program. It returns nil if the system has no shell.
func startGuard(leader *os.Process) *guard {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	shell := exec.Command("/bin/sh", "-c", `read -r _; kill -s KILL -- "-$0"`, strconv.Itoa(leader.Pid))
	shell.Stdin = r
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if shell.Start() != nil {
		w.Close()
		return nil
	}
	return &guard{shell, w}
}

// stop ends the guard, after the group was killed.
func (g *guard) stop() {
	if g == nil {
		return
	}
	_ = g.shell.Process.Kill()
	_ = g.shell.Wait()
	g.pipe.Close()
}
