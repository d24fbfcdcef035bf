package cdcl

import "testing"

// Each mode has averages of its own: the LBD of the other mode does not change when the solver restarts.
func TestAveragesOfModes(t *testing.T) {
	s := New(Options{})
	note := func(lbd uint32, times int) {
		for range times {
			s.noteConflict(lbd)
		}
	}
	note(10, 100) // in focused mode
	want, recent := s.overall, s.recent
	s.changeMode()
	if note(40, 1000); s.overall.value != 40 {
		t.Errorf("the average of stable mode is %v, want 40", s.overall.value)
	}
	if s.changeMode(); s.overall != want || s.recent != recent || s.stable {
		t.Errorf("focused mode continues with the averages %v and %v, want %v and %v", s.overall, s.recent, want, recent)
	}
	s.changeMode()
	if s.overall.value != 40 {
		t.Errorf("stable mode continues with the average %v, want 40", s.overall.value)
	}
}
