package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"treesplit/internal/outfile"
)

// maxLineBytes limits a line of results: the JSON of some 100,000 ranks.
const maxLineBytes = 64 << 20

// maxLines limits the lines of a file of results: ten for each run of the largest plan.
var maxLines = 10 * maxRuns

// Log is a file of results, open for appending.
type Log struct {
	file *os.File
	OK   map[string]bool // for each key, whether its last line is a result; the lines themselves may be large
	// Torn is the number of bytes that were dropped from the end: a line that was being written
	// when its sweep was killed.
	Torn int64
}

// OpenLog opens or creates a file of results. It cuts off an incomplete last line. Any other
// invalid line is an error, which names the file and the line. Two sweeps cannot open the same file
// at the same time, if the file system supports locks.
func OpenLog(path string) (_ *Log, err error) {
	if err := checkPlain(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	if !outfile.TryLock(f) {
		return nil, fmt.Errorf("%s: another sweep writes this file: expected a separate file for each sweep (--results)", path)
	}
	l := &Log{file: f, OK: map[string]bool{}}
	good, err := ReadLines(f, path, func(line Line) error {
		l.OK[line.Key] = line.OK()
		return nil
	})
	if err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if l.Torn = size - good; l.Torn > 0 {
		if err := checkTorn(f, good, path); err != nil {
			return nil, err
		}
		if err := f.Truncate(good); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// checkPlain returns an error for a name that is not, or cannot become, the name of a regular file: a
// pipe cannot be read again, and others write to standard output as well.
func checkPlain(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() || outfile.NamesDescriptor(path) {
		return fmt.Errorf("%s: expected the name of a file", path)
	}
	return nil
}

// checkTorn returns an error if the end of the file is not the start of a result: the file may be
// another one, named by mistake. A power failure can leave zero bytes.
func checkTorn(f io.ReaderAt, at int64, path string) error {
	const begin = `{"key":"`
	start := make([]byte, len(begin))
	n, err := f.ReadAt(start, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if start = start[:n]; !strings.HasPrefix(begin, string(start)) && len(bytes.Trim(start, "\x00")) > 0 {
		return fmt.Errorf("%s: its end is not the start of a result: expected a file that treesplit sweep has written", path)
	}
	return nil
}

// AppendLine writes one line, in one write, and waits until it is on the disk.
func (l *Log) AppendLine(line Line) error {
	text, err := encodeLine(line)
	if err != nil {
		return err
	}
	if n, err := l.file.Write(text); err != nil {
		if size, failed := l.file.Seek(0, io.SeekEnd); failed == nil {
			_ = l.file.Truncate(size - int64(n)) // in case the disk is full; a remaining part is cut off later
		}
		return err
	}
	l.OK[line.Key] = line.OK()
	return l.file.Sync()
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// encodeLine returns a result as a line of text, with its line end.
func encodeLine(line Line) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(line); err != nil {
		return nil, err
	}
	if b.Len() > maxLineBytes {
		return nil, fmt.Errorf("%s: the result has %d bytes: expected at most %d", line.Key, b.Len(), maxLineBytes)
	}
	return b.Bytes(), nil
}

// ReadLines calls f with each line of a text and returns the number of bytes of the complete lines.
// It ignores an incomplete last line. Any other text that is not a result is an error; name is the
// name for errors.
func ReadLines(r io.Reader, name string, f func(Line) error) (whole int64, err error) {
	lines := &lineReader{r: r, buffer: make([]byte, 0, 64<<10)}
	for number := 1; ; number++ {
		text, err := lines.readNextLine()
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return whole, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if number > maxLines {
			return whole, fmt.Errorf("%s:%d: more than %d lines: expected at most ten for each of %d runs", name, number, maxLines, maxRuns)
		}
		line, err := decodeLine(text)
		if err == nil {
			err = f(line)
		}
		if err != nil {
			return whole, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		whole += int64(len(text))
	}
}

// decodeLine reads one line and returns an error if no sweep has written it.
func decodeLine(text []byte) (Line, error) {
	var line Line
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&line); err != nil {
		return line, fmt.Errorf("%s: expected a line that treesplit sweep has written", toOneLine(err.Error()))
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return line, errors.New("the line has more than one JSON object: expected one object per line")
	}
	return line, line.checkLine()
}

// lineReader splits a text into lines of limited length.
type lineReader struct {
	r      io.Reader
	buffer []byte // read and not yet returned
	given  int    // bytes at the start of buffer that were returned
}

// readNextLine returns the next line with its end, valid until the next call. It returns io.EOF if
// no complete line is left.
func (l *lineReader) readNextLine() ([]byte, error) {
	l.buffer = append(l.buffer[:0], l.buffer[l.given:]...)
	l.given = 0
	for searched := 0; ; {
		if i := bytes.IndexByte(l.buffer[searched:], '\n'); i >= 0 {
			l.given = searched + i + 1
			return l.buffer[:l.given], nil
		}
		searched = len(l.buffer)
		if searched > maxLineBytes {
			return nil, fmt.Errorf("the line has more than %d bytes: expected results", maxLineBytes)
		}
		if cap(l.buffer) == len(l.buffer) {
			l.buffer = append(make([]byte, 0, 2*cap(l.buffer)), l.buffer...)
		}
		n, err := l.r.Read(l.buffer[len(l.buffer):cap(l.buffer)])
		l.buffer = l.buffer[:len(l.buffer)+n]
		if n == 0 && err != nil {
			return nil, err
		}
	}
}
