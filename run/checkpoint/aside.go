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
// search. A search that begins again in FILE writes other logs. Then the logs of the search before get
// the name FILE.previous.logs, until two checkpoints have replaced the checkpoints of that search. The
// mark of a checkpoint decides which of the two files has its logs.

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
func MakeWay(path string, kept *Logs) error {
	logs, aside := LogsOf(path), LogsOf(Previous(path))
	switch {
	case kept != nil && same(kept.file, logs):
		return nil
	case kept != nil && same(kept.file, aside):
		return outfile.NameError(exchange(logs, aside), logs)
	case !exists(path) && !exists(Previous(path)): // the logs belong to no checkpoint
		return nil
	}
	return outfile.NameError(renameExisting(logs, aside), logs)
}

// exchange exchanges the names of two files. The first need not exist.
func exchange(a, b string) error {
	between := a + ".exchange"
	if exists(between) {
		return fmt.Errorf("%s: expected no such file: it is needed for a moment", between)
	}
	if err := renameExisting(a, between); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return err
	}
	return renameExisting(between, b)
}

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

// haveLogsOf reports whether the file begins with the logs of a checkpoint.
func (l *Logs) haveLogsOf(path string) bool {
	s, err := read(path)
	if err != nil || s.Logs == nil || s.Logs.Bytes > l.mark.Bytes {
		return false
	}
	sum := crc64.New(crcTable)
	_, err = io.Copy(sum, io.NewSectionReader(l.file, 0, s.Logs.Bytes))
	return err == nil && sum.Sum64() == s.Logs.Sum
}
