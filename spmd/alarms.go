package spmd

import (
	"slices"

	"treesplit/comm"
)

// alarms are the moments at which the protocol has asked to be woken, earliest first. There are
// never more than a few.
type alarms []comm.Time

func (a *alarms) insertAlarm(at comm.Time) {
	i, _ := slices.BinarySearch(*a, at)
	*a = slices.Insert(*a, i, at)
}

// nextAlarm returns the earliest alarm.
func (a alarms) nextAlarm() comm.Time {
	if len(a) == 0 {
		return comm.Never
	}
	return a[0]
}

// takeDueAlarm removes the earliest alarm if its moment has come.
func (a *alarms) takeDueAlarm(now comm.Time) bool {
	if len(*a) == 0 || (*a)[0] > now {
		return false
	}
	*a = slices.Delete(*a, 0, 1)
	return true
}
