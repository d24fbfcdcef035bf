package sim

import (
	"reflect"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
)

// Look is called at the times that it asks for, in order, and changes nothing in the result. Halt is
// called after it, so that a run can end at a given time.
func TestLook(t *testing.T) {
	tree := small(t)
	s := over(tree, ncubeWithTopology("test", "hypercube"), "rp", "ring", 8, 3)
	want, err := s.run(t)
	if err != nil {
		t.Fatal(err)
	}
	const every = 200 * us
	var looks []comm.Time
	s.options.Look = func(now comm.Time) comm.Time {
		looks = append(looks, now)
		return now + every
	}
	got, err := s.run(t)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v with looks, %+v without", got, err, want)
	}
	if least := int(want.Time / (3 * every)); len(looks) < least {
		t.Errorf("%d looks in %v, expected at least %d", len(looks), want.Time.Duration(), least)
	}
	for i, at := range looks[1:] {
		if at < looks[i]+every {
			t.Errorf("a look at %v and the next at %v", looks[i].Duration(), at.Duration())
		}
	}
	ended := false
	s.options.Look = func(now comm.Time) comm.Time {
		ended = now > want.Time/2
		return now + 1
	}
	s.options.Halt = func() (lb.Reason, bool) { return lb.Interrupted, ended }
	if half, err := s.run(t); err != nil || half.Reason != lb.Interrupted || half.Time >= want.Time {
		t.Errorf("ended %v after %v of %v, %v", half.Reason, half.Time.Duration(), want.Time.Duration(), err)
	}
}
