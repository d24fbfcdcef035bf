package live

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"treesplit/run"
	"treesplit/run/observe/feed"
)

// Line is a line of a progress file, and the answer to GET /status.json.
type Line struct {
	run.Progress
	At     string `json:"at,omitempty"`     // the bound or board being searched
	Reason string `json:"reason,omitempty"` // why the run has ended, in the last line
}

// Final holds the numbers of the result.
type Final struct {
	Requests   int64   `json:"requests"`
	Grants     int64   `json:"grants"`
	Rejects    int64   `json:"rejects"`
	Expanded   int64   `json:"expanded"`
	Seconds    float64 `json:"seconds"`
	Efficiency float64 `json:"efficiency,omitempty"`
	Verdict    string  `json:"verdict"`
}

// warning is a message about the run.
type warning struct {
	Seconds float64 `json:"seconds"` // wall-clock time since the server began
	Text    string  `json:"text"`
}

// The last maxWarnings warnings are kept, each with at most maxText bytes.
const (
	maxWarnings = 20
	maxText     = 400
)

// facts are the parts of the state that the page shows beside the board.
type facts struct {
	Status      Line      `json:"status"`
	Final       *Final    `json:"final,omitempty"` // nil: the search has not ended
	Failed      string    `json:"failed,omitempty"`
	Warnings    []warning `json:"warnings"`
	Warned      int64     `json:"warned"`      // number of warnings
	Checkpoints int       `json:"checkpoints"` // number of checkpoints written
	SaveError   string    `json:"saveError,omitempty"`
	Saving      bool      `json:"saving"` // a checkpoint was requested and is not yet written
	Stopping    bool      `json:"stopping"`
}

// state holds the facts.
type state struct {
	sync.Mutex
	facts
	streams int    // clients that receive events
	noSaves string // why requests for a checkpoint are refused; or ""
}

// view is the state that a client receives.
type view struct {
	facts
	Totals feed.Totals `json:"totals"`
	Pace   *paceView   `json:"pace,omitempty"`
}

// currentView returns the state.
func (s *Server) currentView() view {
	s.state.Lock()
	v := view{facts: s.state.facts}
	v.Warnings = append([]warning{}, v.Warnings...)
	s.state.Unlock()
	v.Totals = s.options.Board.Totals()
	v.Pace = s.options.Pace.view()
	return v
}

// SetProgress sets the progress of the run. label names the current bound or board, or is empty.
func (s *Server) SetProgress(p run.Progress, label string) {
	if s == nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.state.Status = Line{p, cutText(label), ""}
}

// SetFinal sets the last progress and the numbers of the result.
func (s *Server) SetFinal(line Line, f Final) {
	if s == nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.state.Status, s.state.Final = line, &f
}

// SetFailed notes that the run has failed.
func (s *Server) SetFailed(err error) {
	if s == nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.state.Failed = cutText(err.Error())
}

// AddWarning adds a warning about the run.
func (s *Server) AddWarning(text string) {
	if s == nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.state.Warned++
	all := append(s.state.Warnings, warning{time.Since(s.begun).Seconds(), cutText(text)})
	s.state.Warnings = all[max(len(all)-maxWarnings, 0):]
}

// NoteSaved notes an attempt to write a checkpoint.
func (s *Server) NoteSaved(saved run.Saved, err error) {
	if s == nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.state.Saving, s.state.Checkpoints, s.state.SaveError = false, saved.Count, ""
	if err != nil {
		s.state.SaveError = cutText(err.Error())
	}
}

// SaveNow reports whether a client has requested a checkpoint that was not written yet.
func (s *Server) SaveNow() bool {
	if s == nil {
		return false
	}
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.Saving
}

// cutText bounds the length of a text, and makes it valid UTF-8.
func cutText(text string) string {
	if len(text) > maxText {
		text = text[:maxText] + " …"
	}
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "�")
}

// serveStatus answers GET /status.json.
func (s *Server) serveStatus(w http.ResponseWriter, _ *http.Request) {
	data, err := json.Marshal(s.currentView().Status)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(data, '\n')) // an error means that the client has left
}
