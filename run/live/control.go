package live

import "net/http"

// serveControl answers POST /control?action=ACTION: stop and save, if control was requested; play,
// pause and step, if the page sets the pace of a simulation.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	if refused := s.act(r.URL.Query().Get("action")); refused != "" {
		http.Error(w, refused, http.StatusForbidden)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// notPermitted is the answer to other actions.
const notPermitted = "the action is unknown, or not permitted in this run"

// act performs an action. It returns the reason if the action is refused, and "" otherwise.
func (s *Server) act(action string) (refused string) {
	switch {
	case action == "stop" && s.options.Control:
		s.state.Lock()
		s.state.Stopping = true
		s.state.Unlock()
		s.options.Stop()
	case action == "save" && s.options.Control && s.options.Saves:
		s.state.Lock()
		defer s.state.Unlock()
		s.state.Saving = s.state.noSaves == ""
		return s.state.noSaves
	case s.options.Pace != nil && s.options.Pace.act(action):
	default:
		return notPermitted
	}
	return ""
}

// RefuseSaves refuses requests for a checkpoint, for a reason. It is called before the search begins.
func (s *Server) RefuseSaves(why string) {
	if s == nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.state.Saving, s.state.noSaves = false, cutText(why)
}
