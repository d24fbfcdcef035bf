package run

import "fmt"

// Checkpoint is a saved search: a consistent cut, taken when every rank was halted and no message
// was in flight.
type Checkpoint struct {
	Header
	Pieces [][]byte // remaining pieces of the current search, from search.TakeRemaining
}

// Header is a Checkpoint without the pieces.
type Header struct {
	// Identity identifies the tree: what is searched, and the options that change the tree. A
	// Checkpoint can be resumed by searches with an equal Identity.
	Identity string      `json:"identity"`
	Steps    []SavedStep `json:"steps"` // the complete searches of an Iterated problem
	Step     SavedStep   `json:"step"`  // counts of the current search
	// Bound is the least known value of a solution of an Optimising problem, and otherwise
	// search.NoBound.
	Bound    int64   `json:"bound"`
	Totals   Totals  `json:"totals"`   // of all ranks in all runs so far
	Seconds  float64 `json:"seconds"`  // time of all runs so far
	Sessions int     `json:"sessions"` // number of runs so far
	Version  string  `json:"version"`  // of the program; information for people
	// Complete means that the search is complete, but its proof was not written. There are no pieces.
	Complete bool     `json:"complete,omitempty"`
	Logs     *LogMark `json:"logs,omitempty"` // for a search with a proof: length and checksum of the logs beside the file
}

// SavedStep holds the counts of a search.
type SavedStep struct {
	Sums   []int64 `json:"sums"`
	Maxima []int64 `json:"maxima"`
	// NamedSums and NamedMaxima are the counts with names of a NamedCounting problem.
	NamedSums   map[string]int64 `json:"namedSums,omitempty"`
	NamedMaxima map[string]int64 `json:"namedMaxima,omitempty"`
	Seconds     float64          `json:"seconds"`
	Witness     []byte           `json:"witness,omitempty"`
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

// SoFar returns a phrase that describes the progress of the search.
func (h *Header) SoFar() string {
	runs := "1 run"
	if h.Sessions != 1 {
		runs = fmt.Sprintf("%d runs", h.Sessions)
	}
	return fmt.Sprintf("%d nodes in %s", h.Totals.Expanded, runs)
}

// LogMark describes the logs of a search with a proof at a checkpoint: their length in bytes and
// the CRC-64 (ECMA) of all these bytes.
type LogMark struct {
	Bytes int64  `json:"bytes"`
	Sum   uint64 `json:"sum,string"`
}
