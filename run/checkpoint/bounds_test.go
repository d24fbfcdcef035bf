package checkpoint

import (
	"encoding/json"
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

// A state with too many pieces, or with a long header, is neither written nor read.
func TestBoundedState(t *testing.T) {
	many := some("many")
	many.Pieces = make([][]byte, maxPieces)
	long := some(strings.Repeat("x", maxHeader))
	for want, s := range map[string]*run.Checkpoint{"pieces: expected fewer than": many, "the header has": long} {
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
}
