package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"treesplit/study/sweep"
)

// Results holds the last result of every run in some files.
type Results struct {
	keys  []string // in the order of their first lines
	lines map[string]sweep.Line
	runs  map[string]output // of the lines that are ok
	// Torn are the files whose last line was incomplete and was left out.
	Torn []string
}

// output holds the fields of the program's JSON that a report needs.
type output struct {
	Seconds           float64 `json:"seconds"`
	SequentialSeconds float64 `json:"sequentialSeconds"`
	Expanded          int64   `json:"expanded"`
	Requests          int64   `json:"requests"`
	Scheme            string  `json:"scheme"`
	Termination       string  `json:"termination"`
	// Resumed is present if the run resumed from a checkpoint: Seconds and SequentialSeconds are of
	// the last run alone, and Expanded includes the nodes of the runs before.
	Resumed struct {
		Seconds  float64 `json:"seconds"`
		Expanded int64   `json:"expanded"`
	} `json:"resumed"`
}

// addRunsBefore adds the runs before a resumed run to the times. SequentialSeconds of a resumed run is
// proportional to the nodes of that run: treesplit gives it only with --pace and --machine. Without
// nodes in that run the sequential time is unknown.
func (o *output) addRunsBefore() {
	before := o.Resumed
	if before.Seconds >= 0 {
		o.Seconds += before.Seconds
	}
	switch own := o.Expanded - before.Expanded; {
	case before.Expanded <= 0 && before.Seconds <= 0: // not resumed
	case before.Expanded < 0 || own <= 0:
		o.SequentialSeconds = 0
	default:
		o.SequentialSeconds *= float64(o.Expanded) / float64(own)
	}
}

// maxSeconds is longer than any run, and small enough that many of them can be added.
const maxSeconds = 1e12

func newResults() *Results {
	return &Results{lines: map[string]sweep.Line{}, runs: map[string]output{}}
}

// ReadFiles reads files of results. Of several lines with the same key the last one counts. Errors
// name the file and the line.
func ReadFiles(paths []string) (*Results, error) {
	r := newResults()
	for _, path := range paths {
		if err := r.readResultsFile(path); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Results) readResultsFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	known := len(r.keys)
	if err = r.ReadLines(f, path); err != nil && len(r.keys) == known && filepath.Ext(path) != ".jsonl" {
		return fmt.Errorf("%w (the name of a trace ends in .json, .json.gz or .json.zst)", err)
	}
	return err
}

// ReadLines adds the results of one file; name is for errors.
func (r *Results) ReadLines(in io.Reader, name string) error {
	counted := &counter{r: in}
	whole, err := sweep.ReadLines(counted, name, r.addResultLine)
	if err == nil && whole < counted.n {
		r.Torn = append(r.Torn, name)
	}
	return err
}

// addResultLine adds one line.
func (r *Results) addResultLine(l sweep.Line) error {
	delete(r.runs, l.Key)
	if l.OK() {
		var o output
		if err := json.Unmarshal(l.Output, &o); err != nil {
			return fmt.Errorf("the output of %s: %w", l.Key, err)
		}
		o.addRunsBefore()
		if !(o.Seconds >= 0 && o.Seconds <= maxSeconds) || !(o.SequentialSeconds >= 0 && o.SequentialSeconds <= maxSeconds) || o.Expanded < 0 || o.Requests < 0 {
			return fmt.Errorf("the output of %s: seconds %v, sequentialSeconds %v, expanded %d, requests %d: "+
				"expected the output of a search", l.Key, o.Seconds, o.SequentialSeconds, o.Expanded, o.Requests)
		}
		for _, name := range []string{o.Scheme, o.Termination} {
			if !sweep.IsName(name) {
				return fmt.Errorf("the output of %s: %q: expected the name of a scheme or detector", l.Key, name)
			}
		}
		r.runs[l.Key] = o
	}
	l.Output = nil // it may be large
	if _, known := r.lines[l.Key]; !known {
		r.keys = append(r.keys, l.Key)
	}
	r.lines[l.Key] = l
	return nil
}

// counter counts the bytes that are read.
type counter struct {
	r io.Reader
	n int64
}

// Read reads and counts bytes.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
