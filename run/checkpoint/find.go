package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"treesplit/internal/outfile"
	"treesplit/run"
)

// Found is a checkpoint that already exists under a name.
type Found struct {
	Path   string
	Header *run.Header // nil: the checkpoint is damaged
	Time   time.Time
}

// String describes the checkpoint in a few words.
func (f *Found) String() string {
	at := f.Time.Format(time.DateTime)
	if f.Header == nil {
		return fmt.Sprintf("a damaged checkpoint of %s", at)
	}
	return fmt.Sprintf("a checkpoint of %s: %s, saved %s", run.ProblemName(f.Header.Identity), f.Header.SoFar(), at)
}

// Find looks for files that Save would replace: a checkpoint, the previous one, and their logs.
// It returns nil if no file would be lost. It returns an error if one of the names belongs to
// another kind of file, which must not be overwritten, or if path is the name of an open file, such
// as /dev/stdout, which cannot be renamed.
func Find(path string) (*Found, error) {
	if outfile.NamesDescriptor(path) {
		return nil, errNoFile(path)
	}
	var found *Found
	for _, name := range []string{path, Previous(path)} {
		one, err := find(name)
		if err != nil {
			return nil, err
		}
		if found == nil || found.Header == nil && one != nil && one.Header != nil {
			found = one
		}
	}
	for _, logs := range []string{LogsOf(path), LogsOf(Previous(path))} {
		if _, err := begins(logs, logsMagic); err != nil {
			return found, err
		}
	}
	return found, nil
}

// errNoFile refuses a name that is not, or cannot become, the name of a regular file.
func errNoFile(path string) error { return fmt.Errorf("%s: expected the name of a file", path) }

func find(path string) (*Found, error) {
	info, err := begins(path, magic)
	if info == nil || err != nil {
		return nil, err
	}
	f := &Found{Path: path, Time: info.ModTime()}
	if s, err := read(path); err == nil {
		f.Header = &s.Header
	}
	return f, nil
}

// begins returns nil if the file does not exist or is empty. It returns an error if the bytes
// written so far do not begin with text.
func begins(path, text string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNoFile(path)
	case info.Size() == 0:
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(len(text))))
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(text, string(data)) {
		return nil, fmt.Errorf("%s: not written by --checkpoint, and is never overwritten (expected another name)", path)
	}
	return info, nil
}
