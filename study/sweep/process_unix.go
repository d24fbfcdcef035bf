//go:build unix

package sweep

import (
	"os"
	"os/signal"
	"syscall"
)

// EndSignals returns the signals that end a sweep. Schedulers send SIGUSR1 before the end of a job.
// A terminal that closes sends SIGHUP, which is left out if it is ignored, as under nohup.
func EndSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// endSignal returns the signal that asks a process to end. A launcher passes SIGUSR1 on to the ranks
// without ending them itself; the program treats it like Ctrl-C.
func endSignal(launched bool) syscall.Signal {
	if launched {
		return syscall.SIGUSR1
	}
	return syscall.SIGTERM
}

// terminate asks the process to end.
func terminate(p *os.Process, launched bool) { p.Signal(endSignal(launched)) }

// killGroup ends the process and its group.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	p.Kill()
}
