package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// testKey returns a key of a record.
func testKey(i int) string { return fmt.Sprintf("%032x", i) }

// keep adds an outcome to a lab, as a run does.
func keep(t *testing.T, l *Lab, i int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	r := record{testKey(i), Outcome{Nodes: int64(i)}}
	l.known[r.Key] = r.Outcome
	if err := l.appendRecord(r); err != nil {
		t.Error(err)
	}
}

// countKept returns the number of outcomes in a directory.
func countKept(t *testing.T, dir string) int {
	t.Helper()
	l, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l.Close()
}

// Labs that use one directory at the same time lose no outcomes, whenever each sorts the file.
func TestTwoLabs(t *testing.T) {
	const labs, each = 3, 40
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range labs {
		l, err := New(dir)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for k := range each {
				keep(t, l, i*each+k)
				if k%10 != 9 {
					continue
				}
				if err := l.SortCellFile(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := countKept(t, dir); n != labs*each {
		t.Errorf("%d outcomes are kept, want %d", n, labs*each)
	}
}

// A file of something else is refused and stays unchanged. Only an incomplete end is removed.
func TestForeignCellFile(t *testing.T) {
	line := func(i int) string { return fmt.Sprintf("{\"Key\":%q,\"Outcome\":{\"Nodes\":7}}\n", testKey(i)) }
	for _, c := range []struct {
		text, want string // "": an error is not expected
		kept       int
	}{
		{"", "", 0},
		{line(1) + line(2), "", 2},
		{line(1) + line(2)[:30], "", 1},
		{line(1) + line(2)[:3], "", 1},
		{line(1) + strings.TrimSpace(line(2)), "", 2},
		{line(1) + "\x00\x00\x00", "", 1},
		{"dear diary\n", "cells.jsonl:1: ", 0},
		{"dear diary", "cells.jsonl:1: ", 0},
		{"[1]\n" + line(1), "cells.jsonl:1: ", 0},
		{`{"key":"sweep/of/another/program","world":"local"}` + "\n", "cells.jsonl:1: ", 0},
		{line(1) + "{\n" + line(2), "cells.jsonl:2: ", 0},
		{line(1) + line(2) + "dear diary", "cells.jsonl:3: ", 0},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "cells.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := New(dir)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
		left, _ := os.ReadFile(path)
		if err != nil && string(left) != c.text {
			t.Errorf("%q has become %q", c.text, left)
		}
		if err == nil && (countKept(t, dir) != c.kept || len(left) > 0 && left[len(left)-1] != '\n') {
			t.Errorf("%q: %d outcomes are kept, want %d: %q", c.text, countKept(t, dir), c.kept, left)
		}
	}
}
