//go:build unix && !linux

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup puts the program into a process group of its own, so that all processes of the program
// can be killed and Ctrl-C does not reach them.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// hasEnded reports false: it is not known before something has waited for the program.
func hasEnded(*os.Process) bool { return false }
