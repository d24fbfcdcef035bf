package run

import "fmt"

// Checkpoint is a search that was interrupted: a consistent cut, taken when every rank had been
// halted and no message was left.
type Checkpoint struct {
	Header
	Pieces [][]byte // what is left of the current search, as search.TakeRemaining gives it
}

// Header is all of a Checkpoint but the pieces.
type Header struct {
	// Identity says what is searched, and how, as far as it makes the tree: a Checkpoint is for
	// searches with the same one.
	Identity string      `json:"identity"`
	Steps    []SavedStep `json:"steps"` // the searches that are over, where several follow each other
	Step     SavedStep   `json:"step"`  // what there is of the one at hand
	// Bound is the least value of a solution known, where one is looked for, else
	// search.NoBound.
	Bound    int64    `json:"bound"`
	Totals   Totals   `json:"totals"`         // of all ranks and runs so far
	Seconds  float64  `json:"seconds"`        // that the runs so far took
	Sessions int      `json:"sessions"`       // runs so far
	Version  string   `json:"version"`        // of the program; for people
	Logs     *LogMark `json:"logs,omitempty"` // of a search that is to be proved: how far the logs beside the file have come
}

// SavedStep is what a search has counted.
type SavedStep struct {
	Sums    []int64 `json:"sums"`
	Maxima  []int64 `json:"maxima"`
	Seconds float64 `json:"seconds"`
	Witness []byte  `json:"witness,omitempty"`
}

// Totals are numbers of nodes and messages.
type Totals struct {
	Expanded  int64 `json:"expanded"`
	Redundant int64 `json:"redundant"`
	Requests  int64 `json:"requests"`
	Grants    int64 `json:"grants"`
	Rejects   int64 `json:"rejects"`
	Accepted  int64 `json:"accepted"`
	Bytes     int64 `json:"bytes"`
	Messages  int64 `json:"messages"`
}

// Add adds the numbers of other runs.
func (t *Totals) Add(u Totals) {
	t.Expanded += u.Expanded
	t.Redundant += u.Redundant
	t.Requests += u.Requests
	t.Grants += u.Grants
	t.Rejects += u.Rejects
	t.Accepted += u.Accepted
	t.Bytes += u.Bytes
	t.Messages += u.Messages
}

// SoFar returns how far the search has come.
func (h *Header) SoFar() string {
	runs := "1 run"
	if h.Sessions != 1 {
		runs = fmt.Sprintf("%d runs", h.Sessions)
	}
	return fmt.Sprintf("%d nodes in %s", h.Totals.Expanded, runs)
}

// LogMark says how far the logs of a search that is to be proved had come: its length, and the CRC-64 (ECMA) of all that.
type LogMark struct {
	Bytes int64  `json:"bytes"`
	Sum   uint64 `json:"sum,string"`
}
