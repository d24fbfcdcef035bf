package feed

import "time"

// SetSilentAfter sets the time after which a rank is silent, and returns a function that restores it.
func SetSilentAfter(d time.Duration) (restore func()) {
	before := silentAfter
	silentAfter = d
	return func() { silentAfter = before }
}
