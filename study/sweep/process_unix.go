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

// terminate asks the process to end, by SIGUSR1. A launcher passes SIGUSR1 on to the ranks without ending them
// itself. The program treats it like Ctrl-C, and does not count it: if another process has sent SIGTERM to all
// processes of the job before, a second SIGTERM would end the program without saving its search.
func terminate(p *os.Process) { p.Signal(syscall.SIGUSR1) }

// killGroup ends the process and its group.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	p.Kill()
}
