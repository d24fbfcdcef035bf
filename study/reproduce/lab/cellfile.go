package lab

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"treesplit/internal/fileio"
	"treesplit/internal/outfile"
)

// The file of cells has one line of JSON per outcome. Several runs may use one directory at the same
// time: each appends its lines, and the run that sorts the file first reads the lines of all others.

// record is a line of the file.
type record struct {
	Key     string
	Outcome Outcome
}

// maxCells limits the size of the file: all experiments of all papers take a few megabytes.
var maxCells = fileio.Limit{Bytes: 1 << 28, What: "a file of kept simulations, also of earlier builds; it can be deleted"}

// lockPause is the time between two attempts to lock the directory. Other runs lock it for
// milliseconds.
const lockPause = 5 * time.Millisecond

// lockDirectory waits until no other run reads or writes the file, and locks its directory until the
// lock is closed. A lock of the file itself would be lost when the file is sorted and replaced.
func (l *Lab) lockDirectory() (lock io.Closer, err error) {
	dir, err := os.Open(outfile.Folder(l.path))
	if err != nil {
		return nil, err
	}
	for !outfile.TryLock(dir) {
		time.Sleep(lockPause)
	}
	return dir, nil
}

// loadCells reads the file. If its end is incomplete, because a run was killed, it writes the
// complete lines again: otherwise lines would be appended to the incomplete one and lost with it.
func (l *Lab) loadCells() error {
	lock, err := l.lockDirectory()
	if err != nil {
		return err
	}
	defer lock.Close()
	torn, err := l.readCells()
	if err != nil || !torn {
		return err
	}
	return l.writeCells()
}

// readCells adds the outcomes in the file to the known ones. torn reports whether the file ends with
// an incomplete line.
func (l *Lab) readCells() (torn bool, err error) {
	f, err := os.Open(l.path)
	if os.IsNotExist(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if err := maxCells.CheckFileSize(f); err != nil {
		return false, fmt.Errorf("%s: %w", l.path, err)
	}
	lines := bufio.NewReader(fileio.LimitReader(f, maxCells))
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return false, fmt.Errorf("%s: %w", l.path, err)
		}
		if end && len(line) == 0 {
			return false, nil
		}
		r, ok := decodeRecord(line)
		switch {
		case ok:
			l.known[r.Key] = r.Outcome
		case !end || !isRecordStart(line):
			return false, fmt.Errorf("%s:%d: no result of a simulation: expected a file that reproduce has written, or none", l.path, number)
		}
		if end {
			return true, nil
		}
	}
}

// decodeRecord reads a line. ok is false if no lab has written it.
func decodeRecord(line []byte) (r record, ok bool) {
	if json.Unmarshal(line, &r) != nil {
		return r, false
	}
	key, err := hex.DecodeString(r.Key)
	return r, err == nil && len(key) == keyBytes
}

// isRecordStart reports whether a text can be the start of a record. A power failure can leave zero
// bytes.
func isRecordStart(text []byte) bool {
	const begin = `{"Key":"`
	start := text[:min(len(text), len(begin))]
	return strings.HasPrefix(begin, string(start)) || len(bytes.Trim(text, "\x00")) == 0
}

// appendRecord appends a line to the file.
func (l *Lab) appendRecord(r record) error {
	if l.path == "" || l.closed {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	lock, err := l.lockDirectory()
	if err != nil {
		return err
	}
	defer lock.Close()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if n, err := f.Write(append(line, '\n')); err != nil {
		if size, failed := f.Seek(0, io.SeekEnd); failed == nil {
			_ = f.Truncate(size - int64(n)) // in case the disk is full
		}
		f.Close()
		return err
	}
	return f.Close()
}

// SortCellFile sorts the file, and adds the outcomes that other runs have appended. The same
// experiments then give the same bytes, whatever the order in which cores finished them.
func (l *Lab) SortCellFile() error {
	if l.path == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	lock, err := l.lockDirectory()
	if err != nil {
		return err
	}
	defer lock.Close()
	if _, err := l.readCells(); err != nil {
		return err
	}
	return l.writeCells()
}

// writeCells replaces the file by the known outcomes, sorted by key.
func (l *Lab) writeCells() error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, key := range slices.Sorted(maps.Keys(l.known)) {
		if err := e.Encode(record{key, l.known[key]}); err != nil {
			return err
		}
	}
	return outfile.WriteFile(l.path, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}
