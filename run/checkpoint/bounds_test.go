package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is no checkpoint is refused by its beginning, however long it is, and one
// that begins like a checkpoint by its length.
func TestLongFiles(t *testing.T) {
	const long = 1 << 40 // sparse
	for begin, want := range map[string]string{
		"":    "no checkpoint: expected it to begin with",
		magic: "larger than",
	} {
		path := filepath.Join(t.TempDir(), "c")
		if err := os.WriteFile(path, []byte(begin), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, long); err != nil {
			t.Skip(err) // this file system has no such files
		}
		if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), path+": "+want) {
			t.Errorf("%q: %v", begin, err)
		}
		if whole(path) {
			t.Errorf("%q: it is taken for a whole one", begin)
		}
	}
}
