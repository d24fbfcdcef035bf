// Package fileio holds what all readers and writers of files have in common: bounds on how
// much is read, compression that is recognised by content, the byte order mark, and
// compression that is chosen by the name of an output.
//
// Every reader uses bounded memory for every input: an endless pipe, a device such as /dev/zero,
// or a small file that decompresses to a large one. Errors name the exceeded bound and the
// expected input. They do not name the file; callers do.
package fileio

import (
	"fmt"
	"io"
	"os"
)

// Limit bounds an input by what it is.
type Limit struct {
	Bytes int64  // the most bytes, after decompression
	What  string // what is expected, with its article: "a formula"
}

// exceededError is the error of an input that is too long.
func (l Limit) exceededError() error {
	return fmt.Errorf("larger than %s: expected %s of at most this size", formatSize(l.Bytes), l.What)
}

// formatSize writes a number of bytes in the largest unit that divides it.
func formatSize(n int64) string {
	for _, unit := range []struct {
		shift uint
		name  string
	}{{40, "TiB"}, {30, "GiB"}, {20, "MiB"}, {10, "KiB"}} {
		if n > 0 && n&(1<<unit.shift-1) == 0 {
			return fmt.Sprintf("%d %s", n>>unit.shift, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// limited passes on at most the limit's bytes; more are an error.
type limited struct {
	r     io.Reader
	left  int64
	limit Limit
}

// LimitReader returns r with an error in place of the first byte beyond the limit. Nothing is
// decompressed.
func LimitReader(r io.Reader, l Limit) io.Reader { return &limited{r, l.Bytes, l} }

// Read passes on what it reads.
func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left {
		p = p[:l.left+1] // one more, which tells the end from too much
	}
	n, err := l.r.Read(p)
	if int64(n) > l.left {
		n, err = int(l.left), l.limit.exceededError()
		l.left = 0
		return n, err
	}
	l.left -= int64(n)
	return n, err
}

// ReadTextFile reads all text of a file, as NewTextReader returns it.
func ReadTextFile(path string, l Limit) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := NewTextReader(file, l)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer text.Close()
	data, err := io.ReadAll(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// CheckFileSize refuses a file that is known to be too large before it is read.
func (l Limit) CheckFileSize(file *os.File) error {
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > l.Bytes {
		return l.exceededError()
	}
	return nil
}
