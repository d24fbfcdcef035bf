package graphfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Text of files that may be compressed. gzip and zstd begin with a magic number, so that
// their names do not matter. Brotli, which vt writes by default, has none: the name must
// end in .br, or the file be one of vt's that does not begin like JSON (older versions
// give compressed files no ending of their own).

// maxWindow is the most memory that a zstd frame may ask for, as `zstd -d` grants.
const maxWindow = 1 << 27

// plain returns the text of a file, of which there is no more than the limit if it is
// compressed; close ends it.
func plain(name string, r io.Reader, f Format, o Options) (text io.Reader, close func(), err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	start, err := in.Peek(16)
	if err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	limit := o.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limited := func(r io.Reader, how string) io.Reader { return &inflated{r, name, how, limit} }
	switch begin := bytes.TrimLeft(start, " \t\r\n"); {
	case path.Ext(name) == ".br":
		return limited(brotli.NewReader(in), "brotli"), func() {}, nil
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, damaged(name, "gzip", err)
		}
		return limited(z, "gzip"), func() { z.Close() }, nil
	case bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, damaged(name, "zstd", err)
		}
		return limited(z, "zstd"), z.Close, nil
	case f == VT && len(begin) > 0 && begin[0] != '{':
		return limited(brotli.NewReader(in), "brotli (it is not JSON)"), func() {}, nil
	}
	return in, func() {}, nil
}

// inflated is text that was compressed.
type inflated struct {
	r         io.Reader
	name, how string
	left      int64
}

func (i *inflated) Read(p []byte) (int, error) {
	n, err := i.r.Read(p)
	if i.left -= int64(n); i.left < 0 {
		return 0, fmt.Errorf("%s: %s: more text than the limit allows: expected less, or a higher limit", i.name, i.how)
	}
	if err != nil && err != io.EOF {
		err = damaged(i.name, i.how, err)
	}
	return n, err
}

// damaged says that compressed data cannot be decoded.
func damaged(name, how string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return fmt.Errorf("%s: %s: the data are truncated: %w", name, how, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("%s: %s: the data are damaged: %w", name, how, err)
}
