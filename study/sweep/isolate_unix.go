//go:build unix && !linux

package sweep

import (
	"os/exec"
	"syscall"
)

// isolateProcess gives the process its own group. A Ctrl-C at the terminal then reaches only the
// sweep, which asks the process to end once.
func isolateProcess(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
