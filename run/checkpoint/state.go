// Package checkpoint keeps checkpoints of a search in files. A search can resume a checkpoint on
// any number of ranks, under any scheme and in any world. Save writes a file beside its name and
// renames it, so that a complete file always exists, and keeps the previous one.
package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"treesplit/run"
	"treesplit/search"
)

// Bounds on the numbers of a checkpoint. No run can have counted more, and a run that adds its
// own numbers stays within 64 bits.
const (
	mostCounted  = 1 << 61
	mostSessions = 1 << 30
	mostSeconds  = 1 << 33 // more than two centuries
)

// checkText returns an error if the texts of a header are too long.
func checkText(h *run.Header) error {
	if n := len(h.Identity) + len(h.Version); n > maxText {
		return fmt.Errorf("the header has %d bytes of text: expected at most %d", n, maxText)
	}
	return nil
}

// checkHeader returns an error if the header has numbers that no run can have counted, or long texts.
func checkHeader(h *run.Header) error {
	if err := checkText(h); err != nil {
		return err
	}
	t := h.Totals
	counted := []int64{t.Expanded, t.Redundant, t.Requests, t.Grants, t.Rejects, t.Accepted, t.Bytes, t.Messages}
	switch {
	case slices.Min(counted) < 0:
		return errors.New("a number of nodes or messages is negative: expected 0 or more")
	case slices.Max(counted) > mostCounted:
		return fmt.Errorf("%d nodes or messages: expected %d at most", slices.Max(counted), int64(mostCounted))
	case !(h.Seconds >= 0 && h.Seconds <= mostSeconds) || h.Sessions < 1 || h.Sessions > mostSessions:
		return fmt.Errorf("%v seconds in %d runs: expected 1 to %d runs and a time of 0 or more", h.Seconds, h.Sessions, mostSessions)
	}
	for i := range h.Steps {
		if err := checkStep(&h.Steps[i]); err != nil {
			return err
		}
	}
	return checkStep(&h.Step)
}

// checkStep returns an error if a sum would overflow 64 bits when a run adds to it.
func checkStep(s *run.SavedStep) error {
	for _, n := range s.Sums {
		if n > mostCounted || n < -mostCounted {
			return fmt.Errorf("a sum is %d: expected %d at most", n, int64(mostCounted))
		}
	}
	for name, n := range s.NamedSums {
		if n > mostCounted || n < 0 {
			return fmt.Errorf("the sum %q is %d: expected 0 to %d", name, n, int64(mostCounted))
		}
	}
	if !(s.Seconds >= 0 && s.Seconds <= mostSeconds) {
		return fmt.Errorf("a search took %v seconds: expected 0 to %d", s.Seconds, mostSeconds)
	}
	return nil
}

// encodeState appends the length of the header, the header and the pieces.
func encodeState(dst []byte, s *run.Checkpoint) ([]byte, error) {
	header, err := json.Marshal(s.Header)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(checkText(&s.Header), checkValues(header)); err != nil {
		return nil, err
	}
	parts := append([][]byte{header}, s.Pieces...)
	if len(parts) > maxPieces {
		return nil, errTooMany(uint64(len(parts)))
	}
	return search.AppendPieces(dst, parts), nil
}

func errTooMany(parts uint64) error {
	return fmt.Errorf("the state has %d pieces: expected fewer than %d", parts-1, maxPieces)
}

// headerBounds bound the memory of a header. In memory an object, a name or a number can take many times
// its bytes in the file. A finished search has one object, at most 4 names, and at most 8 numbers and names.
var headerBounds = []struct {
	what, mark string // each of them has such a mark
	most       int
}{
	{"searches and other objects", "{", maxSteps},
	{"names", ":", 4 * maxSteps},
	{"separators", ",", 8 * maxSteps},
}

// checkValues returns an error if an encoded header has too many values.
func checkValues(header []byte) error {
	for _, b := range headerBounds {
		if n := bytes.Count(header, []byte(b.mark)); n > b.most {
			return fmt.Errorf("the header has %d %s: expected at most %d", n, b.what, b.most)
		}
	}
	return nil
}

// decodeState reads the output of encodeState. The pieces share the memory of data.
func decodeState(s *run.Checkpoint, data []byte) error {
	if len(data) > 0 {
		if n, _ := binary.Uvarint(data[1:]); n > maxPieces {
			return errTooMany(n)
		}
	}
	parts, err := search.ParsePieces(data)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return errors.New("the state has no header")
	}
	if err := checkValues(parts[0]); err != nil {
		return err
	}
	if err := json.Unmarshal(parts[0], &s.Header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	s.Pieces = parts[1:]
	return checkHeader(&s.Header)
}
