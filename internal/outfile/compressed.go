package outfile

import (
	"io"

	"treesplit/internal/fileio"
)

// Compressed is a File that is compressed as its name says.
type Compressed struct {
	*File
	inner   io.WriteCloser // compresses
	written int64
}

// CreateCompressed opens a file to be, as CreateFile does.
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

// WrittenBytes is the number of bytes written so far, before compression.
func (c *Compressed) WrittenBytes() int64 { return c.written }

// CommitFile completes the file and gives it its name. On an error there is none.
func (c *Compressed) CommitFile() error {
	if err := c.inner.Close(); err != nil {
		c.DiscardFile()
		return err
	}
	return c.File.CommitFile()
}
