package experiment

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// proofFile is a file that is either complete or not there: it is written beside its
// place, under another name, and renamed at the end. What is no regular file (a pipe,
// /dev/null) is written directly. The end of the name says how it is compressed: .zst by
// zstd, .gz by gzip.
type proofFile struct {
	path  string // where it is to be
	file  *os.File
	out   *bufio.Writer
	inner io.WriteCloser // compresses; or nil
	bytes int64          // written, before compression

	interrupted func() bool // ends the writing; or nil
}

// createProof opens a file to be.
func createProof(path string) (*proofFile, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	p := &proofFile{path: path}
	var err error
	info, missing := os.Stat(path)
	switch {
	case missing == nil && info.IsDir():
		err = fmt.Errorf("%s is a directory", path)
	case missing == nil && !info.Mode().IsRegular():
		p.path = ""
		p.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		p.file, err = os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new*")
	}
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewWriterSize(p.file, 1<<18)
	switch {
	case strings.HasSuffix(path, ".zst"):
		p.inner, err = zstd.NewWriter(p.out)
	case strings.HasSuffix(path, ".gz"):
		p.inner, err = gzip.NewWriterLevel(p.out, gzip.BestSpeed)
	}
	if err != nil {
		p.discard()
		return nil, err
	}
	return p, nil
}

// Write writes a part of the proof.
func (p *proofFile) Write(data []byte) (n int, err error) {
	if p.interrupted != nil && p.interrupted() {
		return 0, errStopped
	}
	if p.inner != nil {
		n, err = p.inner.Write(data)
	} else {
		n, err = p.out.Write(data)
	}
	p.bytes += int64(n)
	return n, err
}

// keep completes the file and gives it its name. On an error there is none.
func (p *proofFile) keep() error {
	var err error
	if p.inner != nil {
		err = p.inner.Close()
	}
	err = errors.Join(err, p.out.Flush())
	if p.path == "" {
		return errors.Join(err, p.file.Close())
	}
	if err = errors.Join(err, p.file.Chmod(0o644), p.file.Close()); err == nil {
		err = os.Rename(p.file.Name(), p.path)
	}
	if err != nil {
		p.remove()
	}
	return err
}

// discard gives the file up.
func (p *proofFile) discard() {
	p.file.Close()
	p.remove()
}

// remove removes the file that is not complete.
func (p *proofFile) remove() {
	if p.path != "" {
		os.Remove(p.file.Name())
	}
}
