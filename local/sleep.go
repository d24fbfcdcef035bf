package local

import "treesplit/comm"

// Sleep implements comm.Sleeper. Messages that arrive meanwhile wait in the inbox.
func (e *Endpoint) Sleep(until comm.Time) {
	for e.setAlarm(until) {
		e.alarm.wait()
	}
}

// Await implements comm.Awaiter. The sender of a message moves the alarm of a rank that waits here. It may do so
// after another message, or the moment itself, has ended the wait: then the rank's next wait ends early.
func (e *Endpoint) Await(until comm.Time) {
	if !e.inbox.hasNoMessage() || !e.setAlarm(until) || !e.inbox.announceRest(alarmed) {
		return
	}
	e.alarm.wait()
	e.finishRest()
}

// setAlarm sets the alarm to a moment. It returns false if the moment has come or the world has failed.
func (e *Endpoint) setAlarm(until comm.Time) bool {
	left := until - e.Now()
	if left <= 0 || e.Err() != nil {
		return false
	}
	if e.alarm == nil {
		e.alarm = newAlarm()
	}
	e.alarm.set(left.Duration())
	return true
}
