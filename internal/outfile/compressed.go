package outfile

import (
	"io"

	"treesplit/internal/fileio"
)

// Compressed is a File that is compressed if its name ends in a compression.
type Compressed struct {
	*File
	inner   io.WriteCloser // compresses
	written int64
}

// CreateCompressed begins a file, as CreateFile does.
func CreateCompressed(path string) (*Compressed, error) {
	file, err := CreateFile(path)
	if err != nil {
		return nil, err
	}
	inner, err := fileio.NewCompressor(path, file)
	if err != nil {
		file.DiscardFile()
		return nil, err
	}
	return &Compressed{File: file, inner: inner}, nil
}

// Write compresses and writes data.
func (c *Compressed) Write(data []byte) (n int, err error) {
	n, err = c.inner.Write(data)
	c.written += int64(n)
	return n, err
}

// WrittenBytes returns the number of bytes written so far, before compression.
func (c *Compressed) WrittenBytes() int64 { return c.written }

// CommitFile completes the file and gives it its name. On an error no file has the name.
func (c *Compressed) CommitFile() error {
	if err := c.inner.Close(); err != nil {
		c.DiscardFile()
		return err
	}
	return c.File.CommitFile()
}
