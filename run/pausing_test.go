package run

import (
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/lb"
)

// Between two checkpoints a search runs for the requested time, and longer if checkpoints take
// long.
func TestPausing(t *testing.T) {
	never := func() (lb.Reason, bool) { return lb.Exhausted, false }
	ms := comm.Time(time.Millisecond)
	for _, c := range []struct{ every, took, due comm.Time }{
		{100 * ms, 0, 100 * ms},
		{100 * ms, 20 * ms, 100 * ms},
		{100 * ms, 60 * ms, getOn * 60 * ms},
	} {
		now := 7 * ms
		s := &saver{since: now}
		halt := s.haltOrPause(never, c.every.Duration(), func() comm.Time { return now })
		if now = 7*ms + c.every; !paused(halt) {
			t.Fatalf("%+v: the first checkpoint is not due after %v", c, c.every.Duration())
		}
		now += c.took
		s.noteSearchResumed(now)
		begun := now
		halt = s.haltOrPause(never, c.every.Duration(), func() comm.Time { return now })
		if now = begun + c.due - 1; paused(halt) {
			t.Errorf("%+v: due before %v", c, c.due.Duration())
		}
		if now = begun + c.due; !paused(halt) {
			t.Errorf("%+v: not due after %v", c, c.due.Duration())
		}
	}
}

func paused(halt func() (lb.Reason, bool)) bool {
	why, ok := halt()
	return ok && why == lb.Paused
}
