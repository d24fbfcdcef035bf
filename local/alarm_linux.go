package local

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// fileAlarm is an alarm of timerfd_create(2). A goroutine that reads the file waits in Go's poller and
// takes no thread.
type fileAlarm struct{ file *os.File }

// newAlarm returns an exact alarm, or an alarm of Go's timers if the system has no file left.
func newAlarm() alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newClockAlarm()
	}
	return fileAlarm{os.NewFile(uintptr(fd), "timer")}
}

func (a fileAlarm) set(d time.Duration) {
	raw, err := a.file.SyscallConn()
	if err != nil {
		return // closed
	}
	next := unix.ItimerSpec{Value: unix.NsecToTimespec(max(d.Nanoseconds(), 1))}  // 0 would disarm it
	raw.Control(func(fd uintptr) { unix.TimerfdSettime(int(fd), 0, &next, nil) }) // fails only if closed
}

func (a fileAlarm) wait() bool {
	var expired [8]byte
	_, err := a.file.Read(expired[:])
	return err == nil
}

func (a fileAlarm) close() { a.file.Close() }
