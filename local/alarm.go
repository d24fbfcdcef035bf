package local

import "time"

// alarm wakes one goroutine at a moment that other goroutines may move. Alarms of Linux are exact to
// some tens of microseconds (alarm_linux.go). Go's own timers may be a millisecond late there, because
// an idle scheduler waits for whole milliseconds.
type alarm interface {
	// set makes the next wait end after d. A later set replaces an earlier one.
	set(d time.Duration)
	// wait waits for the moment. It returns false after close.
	wait() bool
	// close ends the current wait and later ones.
	close()
}

// clockAlarm is an alarm of Go's timers.
type clockAlarm struct {
	timer  *time.Timer
	closed chan struct{}
}

func newClockAlarm() *clockAlarm {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &clockAlarm{t, make(chan struct{})}
}

func (a *clockAlarm) set(d time.Duration) { a.timer.Reset(d) }

func (a *clockAlarm) wait() bool {
	select {
	case <-a.timer.C:
		return true
	case <-a.closed:
		return false
	}
}

func (a *clockAlarm) close() { close(a.closed) }
