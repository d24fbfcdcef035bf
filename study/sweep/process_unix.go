//go:build unix

package sweep

import (
	"os"
	"os/exec"
	"syscall"
)

// isolateProcess gives the process a group of its own: a Ctrl-C at the terminal is the sweep's, which
// tells the process once, in its own way.
func isolateProcess(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks the process to end. A launcher is sent SIGUSR1, which it hands on to the
// ranks without ending them itself; the program takes it for Ctrl-C.
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
