package graphfile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/andybalholm/brotli"

	"treesplit/internal/fileio"
)

// Text of files that may be compressed. gzip, zstd, xz and bzip2 begin with a magic number,
// so that their names do not matter. Brotli, which vt writes by default, has none: the name
// must end in .br, or the file be one of vt's that does not begin with text (older versions
// give compressed files no ending of their own).

// openPlainText returns the text of a file within the limit; close ends it.
func openPlainText(name string, r io.Reader, f Format, o Options) (text io.Reader, end func(), err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	start, err := in.Peek(16)
	if err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("%s: cannot read: %w", name, err)
	}
	limit := o.textLimit(f)
	var t io.ReadCloser
	switch {
	case path.Ext(name) == ".br":
		t, err = newBrotliReader(in, limit)
	case f == VT && !fileio.IsCompressed(start) && !looksLikeText(start):
		t, err = newBrotliReader(in, limit)
		t = guessed{t}
	default:
		t, err = fileio.NewTextReader(in, limit)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, func() { t.Close() }, nil
}

// newBrotliReader returns the text of r, which brotli has compressed.
func newBrotliReader(r io.Reader, l fileio.Limit) (io.ReadCloser, error) {
	return fileio.NewDecodedReader(r, l, "brotli", func(in io.Reader) io.Reader { return brotli.NewReader(in) })
}

// looksLikeText reports whether a file may be text, or is empty. The error for text that is not JSON is
// then an error of the text, and not of a compression.
func looksLikeText(start []byte) bool {
	begin := bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	if begin = bytes.TrimLeft(begin, " \t\r\n"); len(begin) > 0 && begin[0] == '{' {
		return true
	}
	return !bytes.ContainsFunc(begin, func(r rune) bool { return r >= 0x7f || r < ' ' && !strings.ContainsRune("\t\r\n", r) })
}

// textLimit returns the limit of the text of a file.
func (o Options) textLimit(f Format) fileio.Limit {
	switch {
	case o.Limit > 0:
		return fileio.Limit{Bytes: o.Limit, What: "a graph"}
	case f == VT:
		return fileio.Limit{Bytes: maxRankText, What: "load-balancing data of vt"}
	}
	return fileio.Limit{Bytes: maxText, What: "a graph or a map"}
}

// guessed is text that is probably brotli.
type guessed struct{ io.ReadCloser }

// Read adds the guess to errors.
func (g guessed) Read(p []byte) (int, error) {
	n, err := g.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("it is not JSON: %w", err)
	}
	return n, err
}
