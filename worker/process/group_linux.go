package process

import (
	"os/exec"
	"syscall"
)

// setGroup puts the program into a process group of its own, so that all processes of the program
// can be killed and Ctrl-C does not reach them. The system kills the program if this program dies.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
