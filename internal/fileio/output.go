package fileio

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Written are the compressions that outputs can be written in, as names end.
var Written = []string{".gz", ".zst"}

// compressions are the endings by which people name compressed files.
var compressions = []string{".gz", ".zst", ".xz", ".bz2", ".br", ".lzma", ".lz4", ".lz", ".z", ".zip", ".7z"}

// CompressionEnding returns the ending of a name that stands for a compression, or "".
func CompressionEnding(name string) string {
	end := filepath.Ext(name)
	if slices.Contains(compressions, strings.ToLower(end)) {
		return end
	}
	return ""
}

// CheckOutput refuses a name of an output that ends in a compression other than the given
// ones: the file would not be what its name says.
func CheckOutput(name string, supported ...string) error {
	end := CompressionEnding(name)
	if end == "" || slices.Contains(supported, end) {
		return nil
	}
	if len(supported) == 0 {
		return fmt.Errorf("%s: this file is not written compressed: expected a name without %s", name, end)
	}
	return fmt.Errorf("%s: %s is not written: expected a name without it, or with %s in its place", name, end, strings.Join(supported, " or "))
}

// NewCompressor returns a writer to w that compresses as the end of a name says: gzip for .gz,
// zstd for .zst, else not at all. Close ends the data, not w.
func NewCompressor(name string, w io.Writer) (io.WriteCloser, error) {
	switch CompressionEnding(name) {
	case ".gz":
		return gzip.NewWriterLevel(w, gzip.BestSpeed)
	case ".zst":
		return zstd.NewWriter(w)
	}
	return buffered{bufio.NewWriter(w)}, nil
}

// buffered is a writer that compresses nothing.
type buffered struct{ *bufio.Writer }

// Close writes the rest of the buffer.
func (b buffered) Close() error { return b.Flush() }
