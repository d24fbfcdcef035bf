package checkpoint

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/run"
	"treesplit/search"
)

// A file that is not a checkpoint is refused after its first bytes, whatever its length. A file
// that begins like a checkpoint is refused if it is too long.
func TestLongFiles(t *testing.T) {
	const long = 1 << 40 // sparse
	for begin, want := range map[string]string{
		"":    "this is not a checkpoint: expected a file that begins with",
		magic: "larger than",
	} {
		path := filepath.Join(t.TempDir(), "c")
		if err := os.WriteFile(path, []byte(begin), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, long); err != nil {
			t.Skip(err) // this file system has no sparse files
		}
		if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), path+": "+want) {
			t.Errorf("%q: %v", begin, err)
		}
		if whole(path) {
			t.Errorf("%q: it is taken for a whole one", begin)
		}
	}
}

// A state with too many pieces, a long text, or too many searches or numbers is neither written nor read.
func TestBoundedState(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds under the race detector, on one goroutine")
	}
	pieces, text, searches := some("pieces"), some(strings.Repeat("x", maxText)), some("searches")
	pieces.Pieces = make([][]byte, maxPieces)
	searches.Step.NamedSums = map[string]int64{strings.Repeat("{", maxSteps): 1}
	for want, s := range map[string]*run.Checkpoint{
		"pieces: expected fewer than": pieces, "bytes of text: expected at most": text,
		"searches and other objects: expected at most": searches,
	} {
		if _, err := Encode(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("written: %v, want %q", err, want)
		}
		header, err := json.Marshal(s.Header)
		if err != nil {
			t.Fatal(err)
		}
		state := search.AppendPieces(nil, append([][]byte{header}, s.Pieces...))
		if err := decodeState(new(run.Checkpoint), state); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read: %v, want %q", err, want)
		}
	}
	for _, b := range headerBounds {
		header := bytes.Repeat([]byte(b.mark), b.most+1)
		if err := checkValues(header); err == nil || !strings.Contains(err.Error(), b.what) {
			t.Errorf("%d %s: %v, expected an error", len(header), b.what, err)
		}
		if err := checkValues(header[1:]); err != nil {
			t.Error(err)
		}
	}
}

// A batch of many boards, each with several searches, can be saved and resumed. A file of boards has some
// 400,000 boards at most, and a board has fewer than 10 searches on average.
func TestLongBatch(t *testing.T) {
	const saved, most = 50_000, 10 * 400_000
	s := some("batch")
	step := run.SavedStep{Sums: []int64{123456789, 123456789, 1}, Maxima: []int64{45}, Witness: make([]byte, 60)}
	s.Steps = nil
	for i := range saved {
		step.Seconds = math.Sqrt(float64(i))
		s.Steps = append(s.Steps, step)
	}
	data, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(data); err != nil || len(got.Steps) != saved {
		t.Errorf("%v: expected %d searches", err, saved)
	}
	header, err := json.Marshal(s.Header)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(header) / saved * most; n > maxState {
		t.Errorf("%d searches take %d bytes: expected at most %d", most, n, maxState)
	}
	for _, b := range headerBounds {
		if n := strings.Count(string(header), b.mark) / saved * most; n > b.most {
			t.Errorf("%d searches have %d %s: expected at most %d", most, n, b.what, b.most)
		}
	}
}

// A state that compresses to less than a thousandth can be saved and loaded: a worker can have a million
// equal leaves.
func TestRepetitiveState(t *testing.T) {
	for _, n := range []int{1, spacious / 32, spacious/32 + 1, spacious / 16, 1 << 18} {
		s := some("leaves")
		s.Pieces = make([][]byte, n)
		for i := range s.Pieces {
			s.Pieces[i] = make([]byte, 31)
		}
		data, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Errorf("%d pieces in %d bytes: %v", n, len(data), err)
		} else if len(got.Pieces) != n {
			t.Errorf("%d pieces, want %d", len(got.Pieces), n)
		}
	}
}
