package trace

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// endings are those of the names of traces; all but the first are of compressed ones.
var endings = []string{".json", ".json.gz", ".json.zst"}

// Base is the name of a trace's file without the ending that all of them have; ok says
// whether it has one.
func Base(path string) (base string, ok bool) {
	for _, e := range endings {
		if base, ok = strings.CutSuffix(path, e); ok {
			return base, true
		}
	}
	return path, false
}

// ReadFile reads a trace from a file, which is compressed if its name ends in .gz or .zst.
// Errors name the file, and the line where one is at fault.
func ReadFile(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := readAs(path, bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// maxWindow bounds what zstd may ask to be kept.
const maxWindow = 1 << 27

func readAs(path string, in io.Reader) (*Trace, error) {
	switch {
	case strings.HasSuffix(path, ".gz"):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		return Read(z)
	case strings.HasSuffix(path, ".zst"):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		return Read(z)
	}
	return Read(in)
}
