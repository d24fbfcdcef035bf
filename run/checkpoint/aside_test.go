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

// If a run is killed while two files of logs exchange their names, the next run completes the exchange.
func TestKilledWhileLogsExchangeNames(t *testing.T) {
	for _, renamed := range []int{1, 2} {
		path := filepath.Join(t.TempDir(), "c")
		logsSaved(t, path, begun(t, path), "old")
		if err := begun(t, path).Append(logsOf("new, without a checkpoint")); err != nil {
			t.Fatal(err)
		}
		a, b := LogsOf(path), LogsOf(Previous(path))
		for _, names := range [][2]string{{a, between(a)}, {b, a}}[:renamed] {
			if err := os.Rename(names[0], names[1]); err != nil {
				t.Fatal(err)
			}
		}
		kept := resumable(t, path, "old")
		if err := MakeWay(path, kept); err != nil {
			t.Fatalf("killed after %d files were renamed: %v", renamed, err)
		}
		if !same(kept.file, a) || !exists(b) || exists(between(a)) {
			t.Errorf("killed after %d files were renamed: the logs do not have their names", renamed)
		}
	}
}

// The logs of a search that has restarted and was killed before its first checkpoint belong to no
// checkpoint. A second restart overwrites them, not the logs of the first search.
func TestSecondRestartKeepsLogs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	first := begun(t, path)
	logsSaved(t, path, first, "old 1")
	logsSaved(t, path, first, "old 2")
	if err := begun(t, path).Append(logsOf("new, without a checkpoint")); err != nil {
		t.Fatal(err)
	}
	again := begun(t, path)
	resumable(t, path, "old 1", "old 2")
	resumable(t, Previous(path), "old 1")
	logsSaved(t, path, again, "again")
	resumable(t, path, "again")
	resumable(t, Previous(path), "old 1", "old 2")

	third := begun(t, path) // the logs in FILE.logs now belong to FILE
	resumable(t, path, "again")
	logsSaved(t, path, third, "third")
	resumable(t, Previous(path), "again")
}

// A search that resumes the previous checkpoint adds its logs to a copy, so that the later checkpoint can
// still be resumed with its logs. This holds again after a run that was killed before its first checkpoint.
func TestResumedPreviousKeepsLaterLogs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	first := begun(t, path)
	logsSaved(t, path, first, "one")
	logsSaved(t, path, first, "two")
	resumedPrevious(t, path)
	resumable(t, path, "one", "two")
	resumable(t, Previous(path), "one")

	resumedPrevious(t, path)
	resumable(t, path, "one", "two")
	resumable(t, Previous(path), "one")
	begun(t, path) // and also if the next run begins again
	resumable(t, path, "one", "two")
	resumable(t, Previous(path), "one")

	next := resumedPrevious(t, path)
	logsSaved(t, path, next, "other two")
	resumable(t, path, "one", "other two")
	resumable(t, Previous(path), "one", "two")
	logsSaved(t, path, next, "other three")
	logsSaved(t, path, next, "other four")
	resumable(t, path, "one", "other two", "other three", "other four")
	resumable(t, Previous(path), "one", "other two", "other three")
	if exists(LogsOf(Previous(path))) {
		t.Error("the logs of the replaced checkpoint are left")
	}
}

// resumedPrevious returns the logs of a search that resumes the previous checkpoint of path and saves itself
// at path.
func resumedPrevious(t *testing.T, path string) *Logs {
	t.Helper()
	kept := resumable(t, Previous(path), "one")
	if err := MakeWay(path, kept); err != nil {
		t.Fatal(err)
	}
	next, err := kept.Continue(LogsOf(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { next.Close() })
	return next
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
