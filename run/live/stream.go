package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"treesplit/run/observe/feed"
)

// tick is the time between two events to a client.
const tick = 250 * time.Millisecond

// hello is the first event: it describes the run. It is sent again when the board begins.
type hello struct {
	feed.Shape
	Title   string `json:"title"`
	Control bool   `json:"control"`
	Saves   bool   `json:"saves"`
	Paced   bool   `json:"paced"`
}

// serveEvents sends the state to a client until the run ends or the client leaves. It keeps no
// queue: a client that reads slowly gets fewer events, and a client that does not read is dropped.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	if why, status := s.openStream(); status != http.StatusOK {
		http.Error(w, why, status)
		return
	}
	defer s.closeStream()
	w.Header().Set("Content-Type", "text/event-stream")
	// The stream ends with its connection, not with a last chunk, which might be written after Close has cut
	// the connection.
	w.Header().Set("Transfer-Encoding", "identity")
	out := events{w, http.NewResponseController(w)}
	defer out.limitReads(time.Now().Add(readTime)) // the server reads the rest of the request
	out.limitReads(time.Time{})
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var place feed.Place
	var shape feed.Shape
	for first := true; ; first = false {
		ended := s.hasEnded()
		if now := s.options.Board.Shape(); first || now != shape {
			shape = now
			if out.send("hello", hello{shape, s.options.Title, s.options.Control, s.options.Saves, s.options.Pace != nil}) != nil {
				return
			}
		}
		if s.sendUpdate(&out, &place) != nil {
			return
		}
		if ended {
			out.send("end", struct{}{}) // the client leaves in any case
			return
		}
		select {
		case <-ticker.C:
		case <-s.ended:
		case <-r.Context().Done():
			return
		}
	}
}

// sendUpdate sends the columns after a place, and the state.
func (s *Server) sendUpdate(out *events, place *feed.Place) error {
	columns, whole, next := s.options.Board.ColumnsSince(*place)
	*place = next
	if len(columns) > 0 {
		if err := out.send("columns", struct {
			Whole   bool          `json:"whole"`
			Columns []feed.Column `json:"columns"`
		}{whole, columns}); err != nil {
			return err
		}
	}
	return out.send("state", s.currentView())
}

func (s *Server) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// openStream takes a place for a client. If there is none, or if the run has ended, it returns the
// reason, and a status of HTTP other than StatusOK.
func (s *Server) openStream() (why string, status int) {
	if why, status = s.takePlace(); status == http.StatusOK {
		s.options.Pace.begin() // without the lock of the state: a simulation that waits looks at the state
	}
	return why, status
}

func (s *Server) takePlace() (why string, status int) {
	s.state.Lock()
	defer s.state.Unlock()
	switch {
	case s.hasEnded():
		return "the run has ended", http.StatusGone
	case s.state.streams >= maxStreams:
		return fmt.Sprintf("%d pages show this run: expected no more", maxStreams), http.StatusServiceUnavailable
	}
	s.state.streams++
	s.streams.Add(1)
	return "", http.StatusOK
}

func (s *Server) closeStream() {
	s.state.Lock()
	defer s.state.Unlock()
	s.state.streams--
	s.streams.Done()
}

// events writes server-sent events.
type events struct {
	out     http.ResponseWriter
	control *http.ResponseController
}

// send sends one event. JSON has no line breaks, so that it is one line of data.
func (e *events) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := e.control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(e.out, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return err
	}
	return e.control.Flush()
}

// limitReads sets the time until which the client must have sent its request. The zero time is no
// limit: a limit that has passed would end the stream, as if the client had left.
func (e *events) limitReads(until time.Time) {
	_ = e.control.SetReadDeadline(until) // a connection without deadlines is one of a test
}
