package experiment

import (
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"treesplit/outfile"
)

// proofFile is a file that is either complete or not there. The end of the name says how it is
// compressed: .zst by zstd, .gz by gzip.
type proofFile struct {
	*outfile.File
	inner io.WriteCloser // compresses; or nil
	bytes int64          // written, before compression

	interrupted func() bool // ends the writing; or nil
}

// createProof opens a file to be.
func createProof(path string) (*proofFile, error) {
	file, err := outfile.Create(path)
	if err != nil {
		return nil, err
	}
	p := &proofFile{File: file}
	switch {
	case strings.HasSuffix(path, ".zst"):
		p.inner, err = zstd.NewWriter(file)
	case strings.HasSuffix(path, ".gz"):
		p.inner, err = gzip.NewWriterLevel(file, gzip.BestSpeed)
	}
	if err != nil {
		p.Discard()
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
		n, err = p.File.Write(data)
	}
	p.bytes += int64(n)
	return n, err
}

// Keep completes the file and gives it its name. On an error there is none.
func (p *proofFile) Keep() error {
	if p.inner != nil {
		if err := p.inner.Close(); err != nil {
			p.Discard()
			return err
		}
	}
	return p.File.Keep()
}
