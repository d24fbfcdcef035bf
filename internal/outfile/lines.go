package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Lines is a file that people read while it is written, line by line, so that it has its name
// from the beginning. The file that it replaces stays until the first line. When the disk is
// full the file ends with its last whole line.
type Lines struct {
	name  string
	place string // the file that name stands for, behind all links
	file  *os.File
	plain bool  // a regular file, which can be cut
	size  int64 // of the whole lines
	begun bool
	fresh bool  // there was no file of that name
	err   error // the first
}

// OpenLines opens a file. One that another run writes is refused.
func OpenLines(name string) (*Lines, error) {
	l := &Lines{name: name}
	if l.file = standardStream(name); l.file != nil {
		return l, nil
	}
	l.place = ResolvePath(name) // before the file exists
	_, err := os.Stat(name)
	l.fresh = errors.Is(err, fs.ErrNotExist)
	if l.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
		return nil, NameError(err, name)
	}
	if info, err := l.file.Stat(); err == nil && info.Mode().IsRegular() {
		l.plain = true
		if !TryLock(l.file) {
			l.file.Close()
			return nil, fmt.Errorf("%s: another run writes it (expected another name)", name)
		}
	}
	return l, nil
}

// Write writes a line. After an error it does nothing.
func (l *Lines) Write(line []byte) (int, error) {
	if !l.begun && l.plain && l.err == nil {
		l.err = l.file.Truncate(0)
	}
	if l.begun = true; l.err != nil {
		return 0, NameError(l.err, l.name)
	}
	n, err := l.file.Write(line)
	if l.err = err; err == nil {
		l.size += int64(n)
	} else if l.plain {
		_ = l.file.Truncate(l.size)
	}
	return n, NameError(l.err, l.name)
}

// Close closes the file and returns the first error. A file without a line that was not there
// before is removed; a link to it stays.
func (l *Lines) Close() error {
	if l.fresh && !l.begun {
		os.Remove(l.place)
	}
	if l.place != "" {
		if err := l.file.Close(); l.err == nil {
			l.err = err
		}
	}
	return NameError(l.err, l.name)
}
