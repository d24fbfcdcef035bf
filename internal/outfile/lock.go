package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// errLocked means that another process has a file locked.
var errLocked = errors.New("locked by another process")

// TryLock locks a file for this process until the file is closed. It reports false if another
// process has locked the file. Where the file system has no locks it reports true.
func TryLock(file *os.File) bool { return !errors.Is(lock(file, false), errLocked) }

// NameLock is a name that no other run writes meanwhile.
type NameLock struct{ file *os.File }

// LockFileName is the name of the file that is locked for a name.
func LockFileName(path string) string { return path + ".lock" }

// AcquireLock locks a name: the file F.lock beside it, whose text names the owner for users. The
// lock is the system's (flock) and ends with the process, so that a file left by a crash does not
// block. If the file system has no locks, AcquireLock always succeeds.
func AcquireLock(path string) (*NameLock, error) {
	name := LockFileName(path)
	for {
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, foreignLockError(name)
		}
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, NameError(fmt.Errorf("the file %s cannot be written beside it: %w", filepath.Base(name), systemError(err)), path)
		}
		if !TryLock(file) {
			defer file.Close()
			return nil, fmt.Errorf("%s: another run writes it%s (expected another name, or the end of that run)", path, lockOwner(file))
		}
		if !isFileAtPath(file, name) { // the run that had it was just over
			file.Close()
			continue
		}
		if text, err := readFirstBytes(file); err != nil || !strings.HasPrefix(text, holder) && !strings.HasPrefix(holder, text) {
			file.Close()
			return nil, foreignLockError(name)
		}
		host, _ := os.Hostname()
		if err := file.Truncate(0); err == nil {
			fmt.Fprintf(file, holder+"%d on %s\n", os.Getpid(), host)
		}
		return &NameLock{file}, nil
	}
}

// holder is how the text of a locked file begins.
const holder = "process "

// foreignLockError refuses a file that no run has made, which would be overwritten and removed.
func foreignLockError(name string) error {
	return fmt.Errorf("%s: not written by a run, and is never overwritten (expected another name)", name)
}

// readFirstBytes is the first bytes of a file.
func readFirstBytes(file *os.File) (string, error) {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, maxHolder))
	return string(text), err
}

// maxHolder bounds what is read of a locked file.
const maxHolder = 200

// lockOwner returns the text of a locked file about the run that holds it.
func lockOwner(file *os.File) string {
	text, _ := readFirstBytes(file)
	line, _, whole := strings.Cut(text, "\n")
	if !whole || !strings.HasPrefix(line, holder) {
		return ""
	}
	return ": " + line
}

// ReleaseLock releases a name. It may be called on nil, and twice.
func (h *NameLock) ReleaseLock() {
	if h != nil && h.file != nil {
		os.Remove(h.file.Name()) // before it is unlocked: no other run has it
		h.file.Close()
		h.file = nil
	}
}
