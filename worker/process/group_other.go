//go:build !unix

package process

import (
	"bufio"
	"os"
	"os/exec"
)

// setGroup does nothing: this system has no process groups of Unix.
func setGroup(*exec.Cmd) {}

// hasUnread reports whether the reader holds bytes that were not read.
func hasUnread(r *bufio.Reader, _ *os.File) bool { return r.Buffered() > 0 }

// guard does nothing: see setGroup.
type guard struct{}

func startGuard(*os.Process) *guard { return nil }
func (*guard) stop()                {}

// killGroup kills the program.
func killGroup(leader *os.Process) { _ = leader.Kill() }

// hasEnded reports false: it is not known before something has waited for the program.
func hasEnded(*os.Process) bool { return false }

// wasKilled reports whether a program ended as killGroup ends it: with status 1.
func wasKilled(state *os.ProcessState) bool { return state.ExitCode() == 1 }
