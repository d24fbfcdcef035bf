package live

import (
	"strings"
	"testing"
	"time"

	"treesplit/comm"
)

// Requests that are refused for a reason, and locks.

// An action that is not permitted is refused. A request for a checkpoint that would lose work is refused with the
// reason, also if the request came before the reason was known.
func TestActionsAreRefused(t *testing.T) {
	s := start(t, Options{Control: true, Saves: true})
	control := s.URL() + "&action="
	control = strings.Replace(control, "/?", "/control?", 1)
	if status, _ := ask(t, "POST", control+"save"); status != 204 || !s.SaveNow() {
		t.Fatalf("status %d, a checkpoint is requested: %v", status, s.SaveNow())
	}
	const why = "after a checkpoint the attempts begin again"
	s.RefuseSaves(why)
	if s.SaveNow() {
		t.Error("the earlier request still counts")
	}
	if status, text := ask(t, "POST", control+"save"); status != 403 || text != why+"\n" || s.SaveNow() {
		t.Errorf("status %d, %q, a checkpoint is requested: %v", status, text, s.SaveNow())
	}
	for _, action := range []string{"play", "nonsense"} {
		if status, text := ask(t, "POST", control+action); status != 403 || text != notPermitted+"\n" {
			t.Errorf("%s: status %d, %q", action, status, text)
		}
	}
	var none *Server
	none.RefuseSaves(why)
}

// A page that is opened after the end of the run is refused for another reason than too many pages.
func TestEndedRunIsNotShown(t *testing.T) {
	s := start(t, Options{})
	close(s.ended) // as Close does, but the server still answers
	s.once.Do(func() {})
	t.Cleanup(func() { s.http.Close() })
	if status, text := ask(t, "GET", s.URL()+"events"); status != 410 || text != "the run has ended\n" {
		t.Errorf("status %d, %q", status, text)
	}
}

// A simulation that waits for its pace looks at the state of the page, while a page opens: neither holds its lock when
// it takes the other one.
func TestPaceAndStateHaveNoDeadlock(t *testing.T) {
	within := func(what string, f func()) {
		t.Helper()
		done := make(chan bool)
		go func() { f(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: deadlock", what)
		}
	}
	p := NewPace(1)
	s := start(t, Options{Pace: p})
	within("a simulation that waits", func() {
		p.Wait(1, false, func() bool { p.view(); return true })
	})
	p.mu.Lock()
	opened := make(chan bool)
	go func() { s.openStream(); opened <- true }()
	time.Sleep(50 * time.Millisecond)
	within("a page that opens", func() { s.SaveNow() })
	p.mu.Unlock()
	<-opened
	s.closeStream()
	p.Wait(comm.Time(1), false, func() bool { return true })
}
