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
		halt := s.haltOrPause(never, c.every.Duration(), func() comm.Time { return now }, nil)
		if now = 7*ms + c.every; !paused(halt) {
			t.Fatalf("%+v: the first checkpoint is not due after %v", c, c.every.Duration())
		}
		now += c.took
		s.noteSearchResumed(now, now)
		begun := now
		halt = s.haltOrPause(never, c.every.Duration(), func() comm.Time { return now }, nil)
		if now = begun + c.due - 1; paused(halt) {
			t.Errorf("%+v: due before %v", c, c.due.Duration())
		}
		if now = begun + c.due; !paused(halt) {
			t.Errorf("%+v: not due after %v", c, c.due.Duration())
		}
	}
}

// If ranks repeat nodes after a checkpoint, the next one is due when they have repeated them, and then have searched
// for getOn times as long. If the search made no progress since the last checkpoint, the repetition has taken all
// the time.
func TestPausingAfterRepetition(t *testing.T) {
	s := &saver{since: 100, took: 3}
	for _, c := range []struct{ every, expected, now, nodes, want comm.Time }{
		{every: 50, expected: 7, now: 200, nodes: 1, want: 7 + 50},
		{every: 50, expected: 20, now: 200, nodes: 2, want: 20 + getOn*23},
		{every: 50, expected: 20, now: 200, nodes: 2, want: 100 + getOn*103},
		{every: 50, expected: 0, now: 200, nodes: 3, want: 50},
	} {
		if s.noteRepetition(c.expected, c.now, int64(c.nodes)); s.interval(c.every) != c.want {
			t.Errorf("%+v: a checkpoint is due after %d", c, s.interval(c.every))
		}
	}
}

func paused(halt func() (lb.Reason, bool)) bool {
	why, ok := halt()
	return ok && why == lb.Paused
}

// A checkpoint on request is due at once, with and without regular checkpoints, and once.
func TestPausingOnRequest(t *testing.T) {
	never := func() (lb.Reason, bool) { return lb.Exhausted, false }
	for _, every := range []time.Duration{0, time.Hour} {
		now, asked := comm.Time(5), false
		s := &saver{since: now}
		clock, saveNow := func() comm.Time { return now }, func() bool { return asked }
		halt := s.haltOrPause(never, every, clock, saveNow)
		if paused(halt) {
			t.Errorf("every %v: paused without a request", every)
		}
		asked = true
		if !paused(halt) || s.halted != now {
			t.Errorf("every %v: not paused on request", every)
		}
		asked = false // the checkpoint is written; the ranks still halt
		if !paused(halt) {
			t.Errorf("every %v: the pause ended before the search was resumed", every)
		}
		s.noteSearchResumed(now, now)
		if halt = s.haltOrPause(never, every, clock, saveNow); paused(halt) {
			t.Errorf("every %v: paused twice", every)
		}
	}
}
