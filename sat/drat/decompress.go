package drat

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow is the most memory that a zstd frame may ask for to be decoded: what
// `zstd -d` grants without --long.
const maxWindow = 1 << 27

// decompress returns the plain bytes of a proof, which gzip or zstd may have
// compressed: no plain proof begins with their magic numbers. Decoding streams,
// without goroutines, in memory that does not depend on the length.
func decompress(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	magic, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("cannot read: %w", err)
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, damaged("gzip", err)
		}
		return &decoder{z, "gzip", func() { z.Close() }}, nil
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, damaged("zstd", err)
		}
		return &decoder{z, "zstd", z.Close}, nil
	}
	return &decoder{in, "", func() {}}, nil
}

// decoder is a stream of plain bytes whose errors say what was wrong.
type decoder struct {
	io.Reader
	format string // gzip, zstd, or nothing where the input is plain
	close  func()
}

func (d *decoder) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	if d.format == "" {
		return n, fmt.Errorf("cannot read: %w", err)
	}
	return n, damaged(d.format, err)
}

func (d *decoder) Close() error {
	d.close()
	return nil
}

// damaged says that compressed data cannot be decoded.
func damaged(format string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return fmt.Errorf("the %s data is truncated: %w", format, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the %s data is damaged: %w", format, err)
}
