// Package checkpoint keeps what a search that was interrupted needs to go on: on any number
// of ranks, under any scheme and in any world. A file is written beside its name and
// renamed, so that there is always a whole one, and the one before it is kept.
package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"treesplit/run"
	"treesplit/search"
)

// Numbers above these no run can have counted, and a run that adds its own stays within 64
// bits.
const (
	mostCounted  = 1 << 61
	mostSessions = 1 << 30
	mostSeconds  = 1 << 33 // more than two centuries
)

// checkHeader refuses numbers that no run can have counted.
func checkHeader(h *run.Header) error {
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
		if err := checkStep(s); err != nil {
			return err
		}
	}
	return nil
}

// checkStep refuses sums that would not stay within 64 bits when more is added.
func checkStep(s run.SavedStep) error {
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

// encodeState appends the header, with its length before it, and the pieces.
func encodeState(dst []byte, s *run.Checkpoint) ([]byte, error) {
	header, err := json.Marshal(s.Header)
	if err != nil {
		return nil, err
	}
	return search.AppendPieces(dst, append([][]byte{header}, s.Pieces...)), nil
}

// decodeState reads what encodeState has written. The pieces are parts of data.
func decodeState(s *run.Checkpoint, data []byte) error {
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
	return checkHeader(&s.Header)
}
