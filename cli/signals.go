package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/sirupsen/logrus"

	"treesplit/mpi"
)

// signals is what signals have asked a command for.
type signals struct {
	log     *logrus.Logger
	abandon func()      // removes temporary files before the process ends at once
	ends    atomic.Bool // the command must end early
	asked   atomic.Bool // the command has asked whether it must end, so that it can end early
}

// listenForSignals listens for Ctrl-C, SIGTERM, SIGHUP, and SIGUSR1, which batch systems send shortly
// before a job's time limit. The first signal asks the command to end. A command that has not called
// interrupted yet still reads or prepares its input, has nothing to save and cannot end early: a signal
// other than SIGUSR1 then ends the process. Under a launcher it does not, because the launcher would
// report a crash. The second signal other than SIGUSR1 calls abandon and ends the process. SIGUSR1 is
// not counted: a batch system that sends SIGTERM after SIGUSR1 does not interrupt saving. ignore stops
// listening, after the signals that have arrived are handled.
func listenForSignals(log *logrus.Logger, abandon func()) (interrupted func() bool, ignore func()) {
	s := &signals{log: log, abandon: abandon}
	arrived := make(chan os.Signal, 2)
	signal.Notify(arrived, watchedSignals()...)
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		s.handleSignals(arrived)
	}()
	return s.interrupted, func() {
		signal.Stop(arrived)
		close(arrived)
		<-handled // a search can end before the warning is written
	}
}

// watchedSignals returns the signals that end a search, or a command of many runs, early. SIGHUP stays
// ignored if it was ignored when the program started, as by nohup.
func watchedSignals() []os.Signal {
	watched := []os.Signal{syscall.SIGINT, syscall.SIGTERM, lastCall}
	if !signal.Ignored(syscall.SIGHUP) {
		watched = append(watched, syscall.SIGHUP)
	}
	return watched
}

// interrupted reports whether the command must end early.
func (s *signals) interrupted() bool {
	s.asked.Store(true)
	return s.ends.Load()
}

// handleSignals handles signals until the channel is closed.
func (s *signals) handleSignals(arrived <-chan os.Signal) {
	counted := 0 // number of signals other than SIGUSR1
	for one := range arrived {
		if one != lastCall {
			counted++
		}
		switch {
		case counted > 1:
			s.endProcess()
		case one != lastCall && !s.asked.Load() && !underLauncher():
			s.warn("the program received the signal %v before the search began, and ends without a result", one)
			s.endProcess()
		case !s.ends.Swap(true):
			s.warn("the program received the signal %v and ends the search; a second Ctrl-C or SIGTERM ends the program at once", one)
		}
	}
}

func (s *signals) warn(format string, args ...any) {
	s.log.WithField("rank", mpi.LaunchedRank()).Warnf(format, args...)
}

// endProcess ends the process at once.
func (s *signals) endProcess() {
	s.abandon()
	os.Exit(statusStopped)
}
