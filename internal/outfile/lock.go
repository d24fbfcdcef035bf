package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// errLocked means that another process has a file locked.
var errLocked = errors.New("locked by another process")

// TryLock locks a file for this process until the file is closed. It reports false if another
// process has locked the file. Where the file system has no locks it reports true.
func TryLock(file *os.File) bool { return !errors.Is(lock(file, false), errLocked) }

// Held is a name that no other run writes meanwhile.
type Held struct{ file *os.File }

// LockOf is the name of the file that is locked for a name.
func LockOf(path string) string { return path + ".lock" }

// Hold locks a name: the file F.lock beside it, which says for people who has it. The lock is
// the system's (flock) and ends with the process, so that a file that a crash has left behind
// does not block. Where the file system has no locks, Hold succeeds always.
func Hold(path string) (*Held, error) {
	name := LockOf(path)
	for {
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, notOurs(name)
		}
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, Named(err, name)
		}
		if !TryLock(file) {
			defer file.Close()
			return nil, fmt.Errorf("%s: another run writes it%s (expected another name, or the end of that run)", path, owner(file))
		}
		if !is(file, name) { // the run that had it was just over
			file.Close()
			continue
		}
		if text, err := begin(file); err != nil || !strings.HasPrefix(text, holder) && !strings.HasPrefix(holder, text) {
			file.Close()
			return nil, notOurs(name)
		}
		host, _ := os.Hostname()
		if err := file.Truncate(0); err == nil {
			fmt.Fprintf(file, holder+"%d on %s\n", os.Getpid(), host)
		}
		return &Held{file}, nil
	}
}

// holder is how the text of a locked file begins.
const holder = "process "

// notOurs refuses a file that no run has made, which would be overwritten and removed.
func notOurs(name string) error {
	return fmt.Errorf("%s: not written by a run, and is never overwritten (expected another name)", name)
}

// begin is the first bytes of a file.
func begin(file *os.File) (string, error) {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, maxHolder))
	return string(text), err
}

// maxHolder bounds what is read of a locked file.
const maxHolder = 200

// owner is what a locked file says of the run that has it.
func owner(file *os.File) string {
	text, _ := begin(file)
	line, _, whole := strings.Cut(text, "\n")
	if !whole || !strings.HasPrefix(line, holder) {
		return ""
	}
	return ": " + line
}

// Release gives a name free. It may be called for nil, and twice.
func (h *Held) Release() {
	if h != nil && h.file != nil {
		os.Remove(h.file.Name()) // before it is unlocked: no other run has it
		h.file.Close()
		h.file = nil
	}
}
