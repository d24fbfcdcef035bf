package sweep

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// alone gives the process a group of its own: a Ctrl-C at the terminal is the sweep's, which
// tells the process once, in its own way.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks the process to end. A launcher is sent SIGUSR1, which it hands on to the
// ranks without ending them itself; the program takes it for Ctrl-C.
func terminate(p *os.Process, launched bool) {
	if launched {
		p.Signal(syscall.SIGUSR1)
		return
	}
	p.Signal(syscall.SIGTERM)
}

// kill ends the process and its group.
func kill(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	p.Kill()
}

// lock keeps other sweeps from the file. Where the file system has no locks there is none.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("another sweep is writing it: expected a file of its own for each (--results)")
	}
	return nil
}
