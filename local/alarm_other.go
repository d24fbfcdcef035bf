//go:build !linux

package local

func newAlarm() alarm { return newClockAlarm() }
