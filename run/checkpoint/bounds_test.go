package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
