//go:build !unix

package sweep

import (
	"os"
	"os/exec"
)

// isolateProcess does nothing: there are no groups of processes here.
func isolateProcess(*exec.Cmd) {}

// terminate ends the process at once: there is no signal here that asks it to end.
func terminate(p *os.Process, _ bool) { p.Kill() }

// killGroup ends the process. Processes that it has started go on.
func killGroup(p *os.Process) { p.Kill() }
