package sweep

import (
	"os/exec"
	"syscall"
)

// isolateProcess gives the process its own group. A Ctrl-C at the terminal then reaches only the
// sweep, which asks the process to end once. The system asks the process to end if the sweep is
// killed. It may ask several times, once for each thread of the sweep. A second SIGTERM would end the
// process without saving its search. So the signal is SIGUSR1, which the program counts once.
func isolateProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGUSR1}
}
