package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// result returns a line that a run of a plan could have written.
func result(r Run) Line {
	return Line{Run: r, Sweep: "good", Launcher: LocalLauncher, Command: []string{"ts"}, Start: time.Unix(0, 0).UTC(), Seconds: 0.5, Output: json.RawMessage(`{"seconds":0.25,"expanded":7}`)}
}

// written returns a file of results of the first runs of the good plan.
func written(t *testing.T, n int) (path string, runs []Run) {
	t.Helper()
	path, runs = filepath.Join(t.TempDir(), "r.jsonl"), parse(t, goodPlan).ExpandRuns()
	log, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, r := range runs[:n] {
		if err := log.AppendLine(result(r)); err != nil {
			t.Fatal(err)
		}
	}
	return path, runs
}

// linesOf returns the last line of each key in a file of results.
func linesOf(t *testing.T, path string) map[string]Line {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := map[string]Line{}
	if _, err := ReadLines(f, path, func(l Line) error { lines[l.Key] = l; return nil }); err != nil {
		t.Fatal(err)
	}
	return lines
}

// A log knows of each key whether its last line is a result, and the file has the whole lines.
func TestLogKnowsLastLines(t *testing.T) {
	path, runs := written(t, 2)
	log, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	failed := result(runs[1])
	failed.Error = "exit status 1"
	for _, l := range []Line{failed, result(runs[2])} {
		if err := log.AppendLine(l); err != nil {
			t.Fatal(err)
		}
	}
	lines := linesOf(t, path)
	for i, r := range runs[:4] {
		ok, there := log.OK[r.Key]
		l, written := lines[r.Key]
		if there != (i < 3) || written != there || ok != (i == 0 || i == 2) || ok && !l.OK() || there && len(l.Output) == 0 {
			t.Errorf("run %d: the log has %v, %v; the file has %v, %+v", i, there, ok, written, l)
		}
	}
}

// A sweep that was killed while it wrote a line repeats that run, whatever part of the line is on
// the disk. Nothing else is lost, and the file is complete again.
func TestTornLine(t *testing.T) {
	path, runs := written(t, 3)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for size := last; size <= len(whole); size++ {
		if err := os.WriteFile(path, whole[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		log, err := OpenLog(path)
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		kept := 2
		if size == len(whole) {
			kept = 3
		}
		if torn := int64(size - last); kept == 2 && log.Torn != torn || kept == 3 && log.Torn != 0 {
			t.Errorf("%d bytes: %d were dropped", size, log.Torn)
		}
		if len(log.OK) != kept {
			t.Fatalf("%d bytes: %d results, want %d", size, len(log.OK), kept)
		}
		if _, done := log.OK[runs[2].Key]; done != (kept == 3) {
			t.Fatalf("%d bytes: the last run done: %v", size, done)
		}
		if kept == 2 {
			if err := log.AppendLine(result(runs[2])); err != nil {
				t.Fatal(err)
			}
		}
		log.Close()
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
			t.Fatalf("%d bytes: after the missing run was made the file is\n%s", size, again)
		}
	}
}

// A file of something else stays unchanged, even if its last line has no end. Zero bytes that a
// power failure may leave are cut off.
func TestNotTorn(t *testing.T) {
	path, _ := written(t, 2)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"{name: x, ranks: [2], instances: [{name: a, verb: uts}]}", "dear diary", string(whole) + "dear diary", string(whole) + `{"kex":"`} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenLog(path); err == nil || !strings.HasPrefix(err.Error(), path+": its end is not the start of a result") {
			t.Errorf("%q: %v", text, err)
		}
		if left, _ := os.ReadFile(path); string(left) != text {
			t.Errorf("%q has become %q", text, left)
		}
	}
	if err := os.WriteFile(path, append(bytes.Clone(whole), make([]byte, 100)...), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := OpenLog(path)
	if err != nil || log.Torn != 100 {
		t.Fatalf("%v: %+v", err, log)
	}
	log.Close()
}

// Two sweeps cannot write one file at the same time.
func TestOneWriter(t *testing.T) {
	path, _ := written(t, 1)
	first, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLog(path); err == nil || !strings.Contains(err.Error(), "another sweep") {
		t.Errorf("%v", err)
	}
	first.Close()
	second, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}

// A complete line that is no result is refused with its number, and stays unchanged.
func TestBadResults(t *testing.T) {
	path, _ := written(t, 2)
	whole, _ := os.ReadFile(path)
	first := whole[:bytes.IndexByte(whole, '\n')+1]
	for _, c := range []struct{ line, says string }{
		{"{}", "no key"},
		{"", "expected a line that treesplit sweep has written"},
		{"{", "expected a line that treesplit sweep has written"},
		{"[1]", "expected a line that treesplit sweep has written"},
		{`{"key":"k"} {"key":"l"}`, "more than one"},
		{`{"key":"k\u001b[2J"}`, "no key"},
		{`{"key":"k","world":"local","instance":"a","ranks":0}`, "0 ranks"},
		{`{"key":"k","world":"local","instance":"a","ranks":2000000}`, "2000000 ranks"},
		{`{"key":"k","world":"local","instance":"<b>","ranks":1}`, "instance \"<b>\""},
		{`{"key":"k","world":"local","instance":"a","ranks":1}`, "repeat 0"},
		{`{"key":"k","world":"local","instance":"a","ranks":1,"repeat":1,"wallSeconds":-1}`, "expected a span"},
		{`{"key":"k","instance":"a","ranks":1,"repeat":1}`, "no world"},
	} {
		text := string(first) + c.line + "\n" + string(first)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := OpenLog(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+":2: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.line, err)
		}
		if left, _ := os.ReadFile(path); string(left) != text {
			t.Errorf("%s: the file was changed", c.line)
		}
	}
}

// The lines do not depend on the parts in which the file is read, and the incomplete part is
// reported.
func FuzzReadLines(f *testing.F) {
	line, err := encodeLine(result(Run{Key: "k", World: "local", Instance: "a", Ranks: 2, Repeat: 1}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add(append(line, line[:20]...))
	f.Add([]byte("{}\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(r io.Reader) (keys []string, whole int64, err error) {
			whole, err = ReadLines(r, "r", func(l Line) error {
				keys = append(keys, l.Key)
				return nil
			})
			return keys, whole, err
		}
		a, wholeA, errA := read(bytes.NewReader(text))
		b, wholeB, errB := read(iotest.OneByteReader(bytes.NewReader(text)))
		if wholeA != wholeB || strings.Join(a, " ") != strings.Join(b, " ") || (errA == nil) != (errB == nil) {
			t.Errorf("%v %d %v, by byte %v %d %v", a, wholeA, errA, b, wholeB, errB)
		}
		if want := int64(bytes.LastIndexByte(text, '\n') + 1); errA == nil && wholeA != want {
			t.Errorf("%d bytes are whole lines, want %d", wholeA, want)
		}
		if broken, _, err := read(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(text)))); len(text) > 1 && err == nil && !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("a reader that fails: %v, %v", broken, err)
		}
	})
}
