package process

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// setGroup puts the program into a process group of its own, so that all processes of the program
// can be killed and Ctrl-C does not reach them. The system kills the program if this program dies.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// hasEnded reports whether a program has ended, also if nothing has waited for it yet.
func hasEnded(leader *os.Process) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, leader.Pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err == unix.ECHILD || err == nil && info.Signo != 0
}
