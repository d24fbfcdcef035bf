package trace

import (
	"fmt"
	"io"
	"os"
	"strings"

	"treesplit/internal/fileio"
)

// endings are the extensions of traces. All but the first are for compressed files.
var endings = []string{".json", ".json.gz", ".json.zst"}

// TrimExtension returns the name of a trace's file without its extension. ok reports whether the
// name has an extension of traces.
func TrimExtension(path string) (base string, ok bool) {
	for _, e := range endings {
		if base, ok = strings.CutSuffix(path, e); ok {
			return base, true
		}
	}
	return path, false
}

// maxText bounds the text of a trace: 128 bytes for each of maxEvents.
var maxText = fileio.Limit{Bytes: 1 << 32, What: "a trace"}

// ReadFile reads a trace from a file. The first bytes show whether the file is compressed. Errors
// name the file and, if possible, the line.
func ReadFile(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := readTraceText(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// readTraceText reads a trace that may be compressed.
func readTraceText(r io.Reader) (*Trace, error) {
	text, err := fileio.NewTextReader(r, maxText)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return Read(text)
}
