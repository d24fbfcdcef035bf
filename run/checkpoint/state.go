// Package checkpoint keeps what a search that was interrupted needs to go on: on any number
// of ranks, under any scheme and in any world. A file is written beside its name and
// renamed, so that there is always a whole one, and the one before it is kept.
package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"treesplit/search"
)

// State is a search that was interrupted: a consistent cut, taken when every rank had been
// halted and no message was left.
type State struct {
	Header
	Pieces [][]byte // what is left of the current search, as search.TakeRemaining gives it
}

// Header is all of a State but the pieces.
type Header struct {
	// Identity says what is searched, and how, as far as it makes the tree: a State is for
	// searches with the same one.
	Identity string `json:"identity"`
	Steps    []Step `json:"steps"` // the searches that are over, where several follow each other
	Step     Step   `json:"step"`  // what there is of the one at hand
	// Bound is the least value of a solution known, where one is looked for, else
	// search.NoBound.
	Bound    int64   `json:"bound"`
	Totals   Totals  `json:"totals"`         // of all ranks and runs so far
	Seconds  float64 `json:"seconds"`        // that the runs so far took
	Sessions int     `json:"sessions"`       // runs so far
	Version  string  `json:"version"`        // of the program; for people
	Logs     *Mark   `json:"logs,omitempty"` // of a search that is to be proved: how far the logs beside the file have come
}

// Step is what a search has counted.
type Step struct {
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

// Numbers above these no run can have counted, and a run that adds its own stays within 64
// bits.
const (
	mostCounted  = 1 << 61
	mostSessions = 1 << 30
	mostSeconds  = 1 << 33 // more than two centuries
)

// check refuses numbers that no run can have counted.
func (h *Header) check() error {
	t := h.Totals
	counted := []int64{t.Expanded, t.Redundant, t.Requests, t.Grants, t.Rejects, t.Accepted, t.Bytes, t.Messages}
	switch {
	case slices.Min(counted) < 0:
		return errors.New("a negative number of nodes or messages")
	case slices.Max(counted) > mostCounted:
		return fmt.Errorf("%d nodes or messages: expected %d at most", slices.Max(counted), int64(mostCounted))
	case !(h.Seconds >= 0 && h.Seconds <= mostSeconds) || h.Sessions < 1 || h.Sessions > mostSessions:
		return fmt.Errorf("%v seconds in %d runs: expected one run at least, and no more than %d", h.Seconds, h.Sessions, mostSessions)
	}
	for _, s := range append(h.Steps[:len(h.Steps):len(h.Steps)], h.Step) {
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// check refuses sums that would not stay within 64 bits when more is added.
func (s Step) check() error {
	for _, n := range s.Sums {
		if n > mostCounted || n < -mostCounted {
			return fmt.Errorf("a sum of %d: expected %d at most", n, int64(mostCounted))
		}
	}
	if !(s.Seconds >= 0 && s.Seconds <= mostSeconds) {
		return fmt.Errorf("a search of %v seconds: expected 0 to %d", s.Seconds, mostSeconds)
	}
	return nil
}

// encode appends the header, with its length before it, and the pieces.
func (s *State) encode(dst []byte) ([]byte, error) {
	header, err := json.Marshal(s.Header)
	if err != nil {
		return nil, err
	}
	return search.AppendPieces(dst, append([][]byte{header}, s.Pieces...)), nil
}

// decode reads what encode has written. The pieces are parts of data.
func (s *State) decode(data []byte) error {
	parts, err := search.ParsePieces(data)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return errors.New("no header")
	}
	if err := json.Unmarshal(parts[0], &s.Header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	s.Pieces = parts[1:]
	return s.check()
}
