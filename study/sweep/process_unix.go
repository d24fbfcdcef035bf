//go:build unix

package sweep

import (
	"os"
	"os/exec"
	"syscall"
)

// isolateProcess gives the process its own group. A Ctrl-C at the terminal then reaches only the
// sweep, which asks the process to end once.
func isolateProcess(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks the process to end. A launcher is sent SIGUSR1, which it passes on to the ranks
// without ending them itself; the program treats it like Ctrl-C.
func terminate(p *os.Process, launched bool) {
	if launched {
		p.Signal(syscall.SIGUSR1)
		return
	}
	p.Signal(syscall.SIGTERM)
}

// killGroup ends the process and its group.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	p.Kill()
}
