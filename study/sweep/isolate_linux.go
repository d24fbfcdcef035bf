package sweep

import (
	"os/exec"
	"syscall"
)

// isolateProcess gives the process its own group. A Ctrl-C at the terminal then reaches only the
// sweep, which asks the process to end once. The system asks the process to end if the sweep is
// killed.
func isolateProcess(cmd *exec.Cmd, launched bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: endSignal(launched)}
}
