package checkpoint

import (
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"io/fs"
	"os"
	"strings"

	"treesplit/internal/outfile"
	"treesplit/run"
)

// The logs of a checkpoint and of the previous one are in one file, FILE.logs, while both belong to one
// search. A search that begins again in FILE, or resumes FILE.previous, writes other logs. Then the logs of
// the search before get the name FILE.previous.logs, until two checkpoints have replaced the checkpoints of
// that search. The mark of a checkpoint decides which of the two files has its logs.

// OpenLogsOf opens the logs of the checkpoint with the name path up to its mark, as OpenLogs does.
func OpenLogsOf(path string, mark run.LogMark) (l *Logs, err error) {
	for i, name := range logNames(path) {
		found, failed := OpenLogs(name, mark)
		if failed == nil {
			return found, nil
		}
		if i == 0 || errors.Is(err, fs.ErrNotExist) && !errors.Is(failed, fs.ErrNotExist) {
			err = failed
		}
	}
	return nil, err
}

// logNames returns the names that the logs of a checkpoint can have. The checkpoint may be a previous one.
func logNames(path string) []string {
	names := []string{LogsOf(path), LogsOf(Previous(path))}
	if current, ok := strings.CutSuffix(path, Previous("")); ok {
		names = append(names, LogsOf(current))
	}
	return names
}

// MakeWay renames the logs beside a checkpoint that a search must not overwrite: the logs of another search
// become the logs of the previous checkpoint. kept is the logs of the search so far, or nil. If kept has the
// name of the logs of the previous checkpoint, the two files exchange their names.
//
// A search that has resumed the previous checkpoint must not cut off the logs of the checkpoint after it. If
// the file of kept has these logs, it becomes or stays the logs of the previous checkpoint, and Continue
// makes a copy.
func MakeWay(path string, kept *Logs) error {
	logs, aside := LogsOf(path), LogsOf(Previous(path))
	if err := completeExchange(logs, aside); err != nil {
		return outfile.NameError(err, logs)
	}
	switch {
	case kept != nil && same(kept.file, logs):
		if !kept.wouldCut(path) {
			return nil
		}
	case kept != nil && same(kept.file, aside):
		if kept.wouldCut(path) {
			return nil
		}
		return outfile.NameError(exchange(logs, aside), logs)
	case mayOverwrite(path):
		return nil
	}
	return outfile.NameError(renameExisting(logs, aside), logs)
}

// mayOverwrite reports whether a search that begins may overwrite the logs beside a checkpoint. If a search
// that began again was killed before its first checkpoint, its logs belong to no checkpoint, and the logs of
// the checkpoint have the name of the logs of the previous one, which they must keep.
func mayOverwrite(path string) bool {
	for _, name := range []string{path, Previous(path)} {
		mark := markOf(name)
		switch {
		case mark == nil:
		case holdsLogs(LogsOf(path), *mark):
			return false
		case holdsLogs(LogsOf(Previous(path)), *mark):
			return true
		}
	}
	return !exists(path) && !exists(Previous(path))
}

// holdsLogs reports whether a file has the logs up to a mark.
func holdsLogs(name string, mark run.LogMark) bool {
	l, err := OpenLogs(name, mark)
	if err != nil {
		return false
	}
	l.Close()
	return true
}

// markOf returns the mark of the checkpoint in a file. It returns nil if there is none.
func markOf(path string) *run.LogMark {
	s, err := read(path)
	if err != nil {
		return nil
	}
	return s.Logs
}

// exchange exchanges the names of two files. The first need not exist.
func exchange(a, b string) error {
	temporary := between(a)
	if exists(temporary) {
		return fmt.Errorf("%s: expected no such file: it is needed for a moment", temporary)
	}
	if err := renameExisting(a, temporary); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return err
	}
	return renameExisting(temporary, b)
}

// completeExchange completes an exchange of names during which a run was killed: one of the two names is
// then missing.
func completeExchange(a, b string) error {
	empty := run.LogMark{Bytes: int64(len(logsMagic)), Sum: crc64.Checksum([]byte(logsMagic), crcTable)}
	if exists(a) == exists(b) || !holdsLogs(between(a), empty) {
		return nil
	}
	if exists(b) {
		if err := os.Rename(b, a); err != nil {
			return err
		}
	}
	return os.Rename(between(a), b)
}

// between returns the name that a file has while it exchanges its name.
func between(path string) string { return path + ".exchange" }

// renameExisting renames a file if it exists.
func renameExisting(from, to string) error {
	if err := os.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// DropOldLogs removes the logs beside the previous checkpoint if neither checkpoint needs them: kept, the
// logs of the search, has the logs of both.
func DropOldLogs(path string, kept *Logs) {
	if aside := LogsOf(Previous(path)); exists(aside) && kept.haveLogsOf(path) && kept.haveLogsOf(Previous(path)) {
		os.Remove(aside)
	}
}

// haveLogsOf reports whether the logs up to the mark begin with the logs of a checkpoint.
func (l *Logs) haveLogsOf(path string) bool {
	mark := markOf(path)
	return mark != nil && mark.Bytes <= l.mark.Bytes && l.beginsWith(*mark)
}

// wouldCut reports whether the file has logs of a checkpoint after the mark of l, where a search that adds
// logs cuts it.
func (l *Logs) wouldCut(path string) bool {
	mark := markOf(path)
	return mark != nil && mark.Bytes > l.mark.Bytes && l.beginsWith(*mark)
}

// beginsWith reports whether the file begins with the logs of a mark.
func (l *Logs) beginsWith(mark run.LogMark) bool {
	sum := crc64.New(crcTable)
	_, err := io.Copy(sum, io.NewSectionReader(l.file, 0, mark.Bytes))
	return err == nil && sum.Sum64() == mark.Sum
}
