package outfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// File is a file that is written beside its place, under another name, and renamed at the
// end. A name of another kind of file (a pipe, /dev/null) is written directly.
type File struct {
	name   string // as given, for errors
	place  string // of the complete file; "" if it is written directly
	temp   string // name until it is complete
	file   *os.File
	out    *bufio.Writer
	shared bool // the file is standard output or standard error, and stays open
}

// CreateFile begins a file. It removes what runs that were killed have left of a file of the same
// name. A symbolic link stays: the file that it names is replaced.
func CreateFile(path string) (*File, error) {
	return createFileAt(path, ResolvePath(path), removeStale)
}

// CreateReplacingLink is CreateFile, but a symbolic link is replaced itself.
func CreateReplacingLink(path string) (*File, error) { return createFileAt(path, path, removeStale) }

// createFileAt begins a file at a place. It calls clean with the place of a file that is written beside
// it, to remove old temporary files.
func createFileAt(name, place string, clean func(place string)) (*File, error) {
	f := &File{name: name}
	if f.file = standardStream(name); f.file != nil {
		f.shared = true
		f.out = bufio.NewWriterSize(f.file, bufferBytes)
		return f, nil
	}
	info, err := os.Stat(name) // not place: the text of the link /dev/fd/N of a pipe is not a name
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: is a directory (expected a file)", name)
	case err == nil && !info.Mode().IsRegular():
		f.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		f.place = place
		if _, err = os.Stat(Folder(name)); err == nil { // place can be in a folder that is there although this one is not
			clean(place)
			err = f.openBeside(info)
		}
	}
	if err != nil {
		return nil, f.NameError(err)
	}
	f.out = bufio.NewWriterSize(f.file, bufferBytes)
	return f, nil
}

const bufferBytes = 1 << 18

// standardStream returns the open file that a name of standard output or standard error stands for, or
// nil. A link to such a name is such a name too. To open such a name would begin at the first byte of a
// file that others write to as well.
func standardStream(name string) *os.File {
	for range maxLinks {
		switch filepath.Clean(name) {
		case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
			return os.Stdout
		case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
			return os.Stderr
		}
		target, err := os.Readlink(name)
		if err != nil {
			return nil
		}
		name = linkTarget(name, target)
	}
	return nil
}

// openBeside opens the temporary file. A lock on it tells other runs that this one is alive.
func (f *File) openBeside(old fs.FileInfo) error {
	for {
		f.temp = temporary(f.place) + strconv.FormatUint(uint64(rand.Uint32()), 10) + suffix
		file, err := os.OpenFile(f.temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		_ = lock(file, true) // without locks no run takes the file for stale
		if !isFileAtPath(file, f.temp) {
			file.Close() // another run had taken it for stale before it was locked
			continue
		}
		f.file = file
		if old != nil {
			return file.Chmod(old.Mode().Perm())
		}
		return nil
	}
}

// Write writes a part of the file.
func (f *File) Write(data []byte) (int, error) {
	n, err := f.out.Write(data)
	return n, f.NameError(err)
}

// Flush brings to the file what was written.
func (f *File) Flush() error { return f.NameError(f.out.Flush()) }

// PlaceFile completes the file and gives it its name. On an error the file of before is still
// there. Close must follow.
func (f *File) PlaceFile() error {
	err := f.out.Flush()
	if err == nil && f.place != "" {
		err = os.Rename(f.temp, f.place)
	}
	if err != nil {
		f.RemoveTemporary()
	}
	return f.NameError(err)
}

// Sync brings a file to the disk.
func (f *File) Sync() error { return f.NameError(f.file.Sync()) }

// Close closes a file; one that has not been placed is given up.
func (f *File) Close() error {
	if f.shared {
		return nil
	}
	return f.NameError(f.file.Close())
}

// CommitFile places and closes the file. Some file systems report that they are full only when a
// file is closed or brought to the disk, so that it is brought there before it is placed.
func (f *File) CommitFile() error {
	err := f.out.Flush()
	if err == nil && f.place != "" {
		err = f.file.Sync()
	}
	if err != nil {
		f.DiscardFile()
		return f.NameError(err)
	}
	return errors.Join(f.PlaceFile(), f.Close())
}

// DiscardFile gives the file up.
func (f *File) DiscardFile() {
	f.Close()
	f.RemoveTemporary()
}

// RemoveTemporary removes the temporary file. It may be called from any goroutine, and at any time:
// once the file is placed there is no temporary file to remove.
func (f *File) RemoveTemporary() {
	if f.place != "" {
		os.Remove(f.temp)
	}
}

// NameError gives an error of the system the name that the file was asked for by.
func (f *File) NameError(err error) error { return NameError(err, f.name) }

// NameError gives an error of the system the name of a file.
func NameError(err error, name string) error {
	if err == nil || errors.As(err, &named{}) {
		return err
	}
	return named{name, systemError(err)}
}

// systemError returns the error of the system that an operation on a file returned, without the names
// of the operation and the file.
func systemError(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}

// named is an error of a file.
type named struct {
	name string
	err  error
}

func (n named) Error() string { return n.name + ": " + n.err.Error() }
func (n named) Unwrap() error { return n.err }

// WriteFile writes a file: to is given what to write to.
func WriteFile(path string, to func(io.Writer) error) error { return writeWith(CreateFile, path, to) }

func writeWith(create func(string) (*File, error), path string, to func(io.Writer) error) error {
	f, err := create(path)
	if err != nil {
		return err
	}
	if err := to(f); err != nil {
		f.DiscardFile()
		return f.NameError(err)
	}
	return f.CommitFile()
}

// CheckWritable reports whether a file of that name can be written, without touching one that is there.
// It does not open a named pipe: the reader of the pipe would see its end.
func CheckWritable(path string) error { return checkWith(CreateFile, path) }

// CheckReplacingLink is CheckWritable for a file that CreateReplacingLink writes.
func CheckReplacingLink(path string) error { return checkWith(CreateReplacingLink, path) }

func checkWith(create func(string) (*File, error), path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return nil
	}
	f, err := create(path)
	if err != nil {
		return err
	}
	f.DiscardFile()
	return nil
}
