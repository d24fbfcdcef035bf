package live

import "net/http"

// serveControl answers POST /control?action=ACTION: stop and save, if control was requested; play,
// pause and step, if the page sets the pace of a simulation.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	if !s.act(r.URL.Query().Get("action")) {
		http.Error(w, "the action is unknown, or not permitted in this run", http.StatusForbidden)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// act performs an action. It returns false if the action is unknown or not permitted.
func (s *Server) act(action string) bool {
	switch {
	case action == "stop" && s.options.Control:
		s.state.Lock()
		s.state.Stopping = true
		s.state.Unlock()
		s.options.Stop()
	case action == "save" && s.options.Control && s.options.Saves:
		s.state.Lock()
		s.state.Saving = true
		s.state.Unlock()
	case s.options.Pace != nil:
		return s.options.Pace.act(action)
	default:
		return false
	}
	return true
}
