//go:build unix

package sweep

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Results are kept in a file. Pipes, devices and standard output are refused without being opened.
func TestResultsNeedAFile(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/stdout", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link, "/dev/stdout", "/dev/fd/1", "/dev/null", dir} {
		if _, err := OpenLog(path); err == nil || err.Error() != path+": expected the name of a file" {
			t.Errorf("%s: %v", path, err)
		}
	}
	log, err := OpenLog(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
}
