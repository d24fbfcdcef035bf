package checkpoint

import (
	"bytes"
	"hash/crc64"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"treesplit/run"
)

func logsOf(texts ...string) (all []Log) {
	for _, s := range texts {
		all = append(all, bytes.NewReader([]byte(s)))
	}
	return all
}

// holds checks that the logs are the texts want.
func holds(t testing.TB, l *Logs, want ...string) {
	t.Helper()
	if len(l.All()) != len(want) {
		t.Fatalf("%d logs, want %d", len(l.All()), len(want))
	}
	for i, one := range l.All() {
		got, err := io.ReadAll(io.NewSectionReader(one, 0, one.Size()))
		if err != nil || string(got) != want[i] {
			t.Errorf("log %d: %q, %v, want %q", i, got, err, want[i])
		}
	}
}

// Logs hold the texts appended up to a mark, whatever was appended after it, in the same file or
// in a copy. More logs can be added in both files.
func TestLogs(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	first, err := CreateLogs(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Append(logsOf("one", "", "two")); err != nil {
		t.Fatal(err)
	}
	mark := first.Mark()
	if err := first.Append(logsOf("three")); err != nil {
		t.Fatal(err)
	}
	later := first.Mark()
	holds(t, first, "one", "two", "three")
	first.Close()

	for _, to := range []string{other, path} { // the second drops the logs after the mark
		read, err := OpenLogs(path, mark)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, read, "one", "two")
		next, err := read.Continue(to)
		if err != nil {
			t.Fatal(err)
		}
		if err := next.Append(logsOf("four")); err != nil {
			t.Fatal(err)
		}
		holds(t, next, "one", "two", "four")
		next.Close()
		again, err := OpenLogs(to, next.Mark())
		if err != nil {
			t.Fatal(err)
		}
		holds(t, again, "one", "two", "four")
		again.Close()
	}
	if _, err := OpenLogs(path, later); err == nil {
		t.Error("logs that were written over are accepted")
	}
}

// Logs that were cut short before their mark, or changed before it, are refused. Bytes after the
// mark do not matter.
func TestDamagedLogs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs")
	l, err := CreateLogs(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Append(logsOf("something", "else")); err != nil {
		t.Fatal(err)
	}
	mark := l.Mark()
	l.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		spoilt := bytes.Clone(data)
		if i := rapid.IntRange(0, len(data)-1).Draw(rt, "place"); rapid.Bool().Draw(rt, "cut") {
			spoilt = spoilt[:i]
		} else {
			spoilt[i] ^= byte(rapid.IntRange(1, 255).Draw(rt, "bits"))
		}
		write(t, path, spoilt)
		if l, err := OpenLogs(path, mark); err == nil {
			l.Close()
			rt.Errorf("accepted %q", spoilt)
		}
	})
	write(t, path, append(data, "tail"...))
	if l, err = OpenLogs(path, mark); err != nil {
		t.Fatal(err)
	}
	holds(t, l, "something", "else")
	l.Close()
}

// A file of logs never has more logs than can be read. The logs before the last ones that are too many stay.
func TestTooManyLogs(t *testing.T) {
	defer func(most int) { maxLogs = most }(maxLogs)
	maxLogs = 3
	path := filepath.Join(t.TempDir(), "logs")
	l, err := CreateLogs(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { l.Close() }()
	for _, some := range [][]Log{logsOf("one", "two"), logsOf("", "three")} {
		if err := l.Append(some); err != nil {
			t.Fatal(err)
		}
		if len(l.All()) == 2 {
			err := l.Append(logsOf("three", "four"))
			if err == nil || !strings.Contains(err.Error(), path+": the file would have more than 3 logs: expected ") {
				t.Errorf("%v", err)
			}
			holds(t, l, "one", "two")
		}
	}
	if err := l.Append(logsOf("four")); err == nil {
		t.Error("a fourth log is added")
	}
	again, err := OpenLogs(path, l.Mark())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	holds(t, again, "one", "two", "three")
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// FuzzLogs must not panic or use more memory than the size of the file allows. The logs of a file
// that it accepts are all its bytes except the lengths.
func FuzzLogs(f *testing.F) {
	f.Add([]byte(logsMagic + "\x03abc\x01d"))
	f.Add([]byte(logsMagic + "\x00"))
	f.Add([]byte(logsMagic + "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))
	f.Add([]byte("treesplit"))
	path := filepath.Join(f.TempDir(), "logs")
	f.Fuzz(func(t *testing.T, data []byte) {
		write(t, path, data)
		l, err := OpenLogs(path, run.LogMark{Bytes: int64(len(data)), Sum: crc64.Checksum(data, crcTable)})
		if err != nil {
			return
		}
		defer l.Close()
		sum := int64(len(logsMagic))
		for _, one := range l.All() {
			if one.Size() < 1 {
				t.Fatal("an empty log")
			}
			sum += one.Size()
		}
		if least, most := sum+int64(len(l.All())), sum+10*int64(len(l.All())); int64(len(data)) < least || int64(len(data)) > most {
			t.Fatalf("%d logs of %d bytes in all, in a file of %d", len(l.All()), sum, len(data))
		}
	})
}
