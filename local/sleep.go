package local

import "treesplit/comm"

// Sleep implements comm.Sleeper. Messages that arrive meanwhile wait in the inbox.
func (e *Endpoint) Sleep(until comm.Time) {
	left := until - e.Now()
	if left <= 0 || e.Err() != nil {
		return
	}
	if e.alarm == nil {
		e.alarm = newAlarm()
	}
	e.alarm.set(left.Duration())
	e.alarm.wait()
}
