package fileio

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// MaxWindow is the most memory that compressed data may ask for to be decoded. It is what
// `zstd -d` grants without --long, and twice what `xz -9` needs.
const MaxWindow = 1 << 27

// Inflation bounds how many times their length compressed data may grow. Ordinary data grows at most
// 100 times; a decompression bomb of gzip grows 1,000 times, of zstd 30,000 times, of bzip2 and brotli a
// million times.
const Inflation = 1 << 10

// MaxDecoded returns how many bytes n bytes of compressed data may become. Data of any length may become
// spacious bytes.
func MaxDecoded(n, spacious int64) int64 { return spacious + Inflation*n }

// LeastEncoded returns how many bytes of compressed data may become n bytes, as MaxDecoded has it.
func LeastEncoded(n, spacious int64) int64 { return max(n-spacious+Inflation-1, 0) / Inflation }

// spacious is the number of bytes that a compressed text of any length may have.
const spacious = 1 << 24

// decoder is a format of compressed data.
type decoder struct {
	name  string
	magic string
	open  func(in *bufio.Reader) (plain io.Reader, end func(), err error)
}

// decoders are the formats that are recognised by their first bytes.
var decoders = []decoder{
	{"gzip", "\x1f\x8b", func(in *bufio.Reader) (io.Reader, func(), error) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, err
		}
		return z, func() { z.Close() }, nil
	}},
	{"zstd", "\x28\xb5\x2f\xfd", func(in *bufio.Reader) (io.Reader, func(), error) {
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(MaxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}},
	{"xz", xzMagic, func(in *bufio.Reader) (io.Reader, func(), error) { return newXZReader(in), func() {}, nil }},
	{"bzip2", "BZh", func(in *bufio.Reader) (io.Reader, func(), error) { return bzip2.NewReader(in), func() {}, nil }},
}

// NewTextReader returns at most l.Bytes bytes of the text of r. It decompresses data whose first
// bytes are those of gzip, zstd, xz or bzip2, and skips a byte order mark of UTF-8. It decodes a
// stream, without goroutines, in memory that does not depend on the length.
func NewTextReader(r io.Reader, l Limit) (io.ReadCloser, error) {
	t := newTextStream(r, l)
	start, err := t.in.Peek(10)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("cannot read: %w", err)
	}
	for _, d := range decoders {
		if !d.matchesStart(start) {
			continue
		}
		t.format = d.name
		plain, end, err := d.open(t.in)
		if err != nil {
			return nil, t.explainError(err)
		}
		t.end = end
		return t.skipByteOrderMark(plain)
	}
	return t.skipByteOrderMark(t.in)
}

// matchesStart reports whether data of the format may begin with these bytes. A text may begin
// like a bzip2 file: it is one if a level follows, and the magic number of a block or of
// the end.
func (d decoder) matchesStart(start []byte) bool {
	if !bytes.HasPrefix(start, []byte(d.magic)) || d.name != "bzip2" {
		return bytes.HasPrefix(start, []byte(d.magic))
	}
	if len(start) < 10 || start[3] < '1' || start[3] > '9' {
		return false
	}
	block := string(start[4:10])
	return block == "\x31\x41\x59\x26\x53\x59" || block == "\x17\x72\x45\x38\x50\x90"
}

// IsCompressed reports whether a file that begins with these (at least 10) bytes is
// compressed in a way that NewTextReader recognises.
func IsCompressed(start []byte) bool {
	for _, d := range decoders {
		if d.matchesStart(start) {
			return true
		}
	}
	return false
}

// NewDecodedReader returns the text of r, which open decompresses, as NewTextReader does. It is for
// formats without a magic number. The caller brings the decoder: the one for brotli imports net/http,
// which programs that read no brotli then do without.
func NewDecodedReader(r io.Reader, l Limit, format string, open func(io.Reader) io.Reader) (io.ReadCloser, error) {
	t := newTextStream(r, l)
	t.format = format
	return t.skipByteOrderMark(open(t.in))
}

// text is a stream of text within bounds.
type text struct {
	raw    *counter      // what is read, bounded too: decoders go through empty members alone
	in     *bufio.Reader // of raw
	plain  *bufio.Reader // decompressed, of limited length
	format string        // of the compression, or empty
	limit  Limit
	given  int64 // bytes of text so far
	end    func()
}

func newTextStream(r io.Reader, l Limit) *text {
	t := &text{raw: &counter{r: r, limit: l}, limit: l, end: func() {}}
	t.in = bufio.NewReaderSize(t.raw, 1<<16)
	return t
}

// byteOrderMark begins a text of UTF-8 that some editors write.
const byteOrderMark = "\xef\xbb\xbf"

// skipByteOrderMark skips a byte order mark.
func (t *text) skipByteOrderMark(plain io.Reader) (io.ReadCloser, error) {
	t.plain = bufio.NewReaderSize(plain, 1<<16)
	if mark, _ := t.plain.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		t.plain.Discard(len(byteOrderMark))
	}
	return t, nil // an error of Peek comes again
}

// Read passes on text, and errors in words.
func (t *text) Read(p []byte) (int, error) {
	n, err := t.plain.Read(p)
	t.given += int64(n)
	switch {
	case t.given > t.limit.Bytes:
		return 0, t.limit.exceededError()
	case t.format == "":
	case LeastEncoded(t.given, spacious) > t.raw.n:
		return 0, fmt.Errorf("%d bytes of %s data become more than %d bytes: expected at most %d times as many, and %s", t.raw.n, t.format, t.given-int64(n), Inflation, formatSize(spacious))
	}
	if err != nil && err != io.EOF {
		err = t.explainError(err)
	}
	return n, err
}

// compressedBound bounds the compressed data of n bytes, which may be of many empty members.
func compressedBound(n int64) int64 { return n + n/8 + 1<<18 }

// Close ends the decoding.
func (t *text) Close() error {
	t.end()
	return nil
}

// explainError puts an error of reading or decoding in words.
func (t *text) explainError(err error) error {
	switch {
	case t.raw.tooLong && errors.Is(err, t.raw.err):
		return fmt.Errorf("%s data %w", t.format, t.raw.err)
	case t.format == "" || t.raw.isInputError(err):
		return fmt.Errorf("cannot read: %w", err)
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return fmt.Errorf("the %s data is truncated: %w", t.format, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the %s data is damaged: %w", t.format, err)
}

// counter counts what is read, and repeats the error that ended it, which a bufio.Reader
// forgets.
type counter struct {
	r       io.Reader
	n       int64
	limit   Limit
	err     error
	tooLong bool
}

// Read passes on what it reads.
func (c *counter) Read(p []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	n, c.err = c.r.Read(p)
	c.n += int64(n)
	if c.n > compressedBound(c.limit.Bytes) && c.err == nil {
		c.err, c.tooLong = c.limit.exceededError(), true
	}
	return n, c.err
}

// isInputError reports whether err is an error of the input itself.
func (c *counter) isInputError(err error) bool {
	return c.err != nil && c.err != io.EOF && errors.Is(err, c.err)
}
