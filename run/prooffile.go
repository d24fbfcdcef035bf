package experiment

import (
	"io"

	"treesplit/fileio"
	"treesplit/outfile"
)

// proofFile is a file that is either complete or not there, compressed as its name says.
type proofFile struct {
	*outfile.File
	inner io.WriteCloser // compresses
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
	p.inner, err = fileio.Compress(path, file)
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
	n, err = p.inner.Write(data)
	p.bytes += int64(n)
	return n, err
}

// Keep completes the file and gives it its name. On an error there is none.
func (p *proofFile) Keep() error {
	if err := p.inner.Close(); err != nil {
		p.Discard()
		return err
	}
	return p.File.Keep()
}
