package experiment

import (
	"golang.org/x/sys/unix"

	"treesplit/comm"
)

// cpuTime is the time that the calling thread has had a processor for. Unlike the time on
// the wall it does not go on while another thread has it, so that what is measured by it is
// right where there are more ranks than cores, too. It takes about 0.2 µs. The caller must
// not leave its thread between two calls that it compares (runtime.LockOSThread).
func cpuTime() comm.Time {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		panic("no clock of a thread's processor time") // Linux has had it since 2.6.12
	}
	return comm.Time(t.Nano())
}

// clockName says what cpuTime is, to people.
const clockName = "processor time of the thread"
