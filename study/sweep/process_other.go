//go:build !unix

package sweep

import (
	"os"
	"os/exec"
	"syscall"
)

// EndSignals returns the signals that end a sweep.
func EndSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// isolateProcess does nothing: this system has no process groups.
func isolateProcess(*exec.Cmd) {}

// terminate ends the process at once: this system has no signal that asks a process to end.
func terminate(p *os.Process) { p.Kill() }

// killGroup ends the process. Processes that it has started continue.
func killGroup(p *os.Process) { p.Kill() }
