package checkpoint

import (
	"os"
	"path/filepath"
	"testing"

	"treesplit/run"
)

// logsSaved appends a log to logs and saves a checkpoint with their mark.
func logsSaved(t *testing.T, path string, logs *Logs, text string) {
	t.Helper()
	DropOldLogs(path, logs)
	if err := logs.Append(logsOf(text)); err != nil {
		t.Fatal(err)
	}
	s, mark := some(text), logs.Mark()
	s.Logs = &mark
	if err := Save(path, s); err != nil {
		t.Fatal(err)
	}
}

// begun returns the logs of a search that begins, or begins again, in a file.
func begun(t *testing.T, path string) *Logs {
	t.Helper()
	if err := MakeWay(path, nil); err != nil {
		t.Fatal(err)
	}
	logs, err := CreateLogs(LogsOf(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { logs.Close() })
	return logs
}

// resumable checks that a checkpoint can be resumed with its logs.
func resumable(t *testing.T, path string, want ...string) *Logs {
	t.Helper()
	s, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	logs, err := OpenLogsOf(path, *s.Logs)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	t.Cleanup(func() { logs.Close() })
	holds(t, logs, want...)
	return logs
}

// A checkpoint and the previous one can be resumed with their logs, also if the previous one is of a search
// that was restarted. The logs of that search go with its last checkpoint.
func TestLogsOfPrevious(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	old := begun(t, path)
	logsSaved(t, path, old, "old 1")
	logsSaved(t, path, old, "old 2")
	resumable(t, path, "old 1", "old 2")
	resumable(t, Previous(path), "old 1")

	again := begun(t, path) // as if the restarted search were killed before its first checkpoint
	resumable(t, path, "old 1", "old 2")
	resumable(t, Previous(path), "old 1")

	logsSaved(t, path, again, "new 1")
	resumable(t, path, "new 1")
	resumable(t, Previous(path), "old 1", "old 2")

	logsSaved(t, path, again, "new 2")
	logsSaved(t, path, again, "new 3")
	resumable(t, path, "new 1", "new 2", "new 3")
	resumable(t, Previous(path), "new 1", "new 2")
	if exists(LogsOf(Previous(path))) {
		t.Error("the logs of the old search are left")
	}
}

// If a restarted search was killed before its first checkpoint, the search before it is resumed with
// its logs, which get their name back.
func TestLogsGetTheirNameBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	logsSaved(t, path, begun(t, path), "old")
	if err := begun(t, path).Append(logsOf("new, without a checkpoint")); err != nil {
		t.Fatal(err)
	}
	kept := resumable(t, path, "old")
	if err := MakeWay(path, kept); err != nil {
		t.Fatal(err)
	}
	next, err := kept.Continue(LogsOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	logsSaved(t, path, next, "older")
	resumable(t, path, "old", "older")
	resumable(t, Previous(path), "old")
}

// Logs without a checkpoint are overwritten. Damaged logs are refused by their own name.
func TestLogsWithoutCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	begun(t, path)
	begun(t, path)
	if exists(LogsOf(Previous(path))) {
		t.Error("logs of no checkpoint are kept")
	}
	write(t, LogsOf(path), []byte("damaged"))
	if _, err := OpenLogsOf(path, run.LogMark{Bytes: 5}); err == nil || err.Error() != LogsOf(path)+": "+errLogs.Error() {
		t.Errorf("%v", err)
	}
	os.Remove(LogsOf(path))
	if _, err := OpenLogsOf(path, run.LogMark{Bytes: 5}); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}
