package graphfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"treesplit/mapping"
)

// Reading any file ends with a valid problem or with an error that names the file. A problem that
// was read is the same after it is written and read again.

// seeds adds the files of testdata with that ending.
func seeds(f *testing.F, ending string) {
	names, err := filepath.Glob("testdata/*" + ending)
	if err != nil || len(names) == 0 {
		f.Fatalf("no seeds %s: %v", ending, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

// fuzzed reads a file, checks it, and writes and reads it again.
func fuzzed(t *testing.T, name string, text []byte, write func(*bytes.Buffer, *File) error) {
	o := Options{Processors: 3, Limit: 1 << 16, Machine: mapping.Machine{SendMessage: 1, ReceiveMessage: 2, SendByte: 1, ReceiveByte: 1}}
	f, err := Read(name, bytes.NewReader(text), o)
	if err != nil {
		if !strings.HasPrefix(err.Error(), name+":") {
			t.Fatalf("%v does not name the file", err)
		}
		return
	}
	if err := f.Problem.Check(); err != nil {
		t.Fatal(err)
	}
	m := f.Start
	if m == nil {
		m = make(mapping.Map, len(f.Problem.Objects))
		for i, o := range f.Problem.Objects {
			if o.Fixed {
				return // somewhere else than 0, perhaps
			}
			m[i] = int32(i % 3)
		}
	}
	var again bytes.Buffer
	if err := write(&again, f); err != nil {
		t.Fatal(err)
	}
	g, err := Read(name, bytes.NewReader(again.Bytes()), o)
	if err != nil {
		t.Fatalf("%v\n%s", err, &again)
	}
	if len(g.Problem.Objects) != len(m) || fmt.Sprint(f.Problem.EvaluateMap(m)) != fmt.Sprint(g.Problem.EvaluateMap(m)) {
		t.Fatalf("%+v became %+v", f.Problem, g.Problem)
	}
}

func FuzzMetis(f *testing.F) {
	seeds(f, ".graph")
	for _, text := range []string{"", "16777216 1073741824 111 1\n", "2 1\n2\n1\n", "%\n1 0 10\n5\n", "2 1 100\n9 2\n9 1\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzed(t, "a.graph", text, func(w *bytes.Buffer, f *File) error { return WriteMetis(w, f.Problem, 1) })
	})
}

func FuzzScotch(f *testing.F) {
	seeds(f, ".grf")
	for _, text := range []string{"", "0 16777216 2147483648 1 111", "0 2 2 0 0 1 1 1 0", "0 0 0 0 100"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzed(t, "a.grf", text, func(w *bytes.Buffer, f *File) error { return WriteScotch(w, f.Problem, 1) })
	})
}

func FuzzVT(f *testing.F) {
	seeds(f, ".json")
	for _, text := range []string{"", "null", `{"phases":null}`, `{"phases":[{"id":0,"tasks":[{}],"communications":[{}]}]}`, "\x0b\x00\x80{}\x03"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzed(t, "a.json", text, func(w *bytes.Buffer, f *File) error {
			if f.Start == nil {
				m := make(mapping.Map, len(f.Problem.Objects))
				return WriteVT(w, f, m)
			}
			return WriteVT(w, f, nil)
		})
	})
}

func FuzzPart(f *testing.F) {
	seeds(f, ".part")
	seeds(f, ".map")
	p := &mapping.Problem{Processors: 3, Objects: []mapping.Object{{Name: "7"}, {Name: "5"}, {Home: 1, Fixed: true}, {Name: "2"}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"a.part", "a.map"} {
			m, err := ReadPart(name, bytes.NewReader(text), p)
			if err == nil {
				err = p.CheckMap(m)
				if err != nil {
					t.Fatal(err)
				}
			} else if !strings.HasPrefix(err.Error(), name+":") {
				t.Fatalf("%v does not name the file", err)
			}
		}
	})
}

// A header with large numbers takes no memory until the data follows.
func TestPromises(t *testing.T) {
	for name, text := range map[string]string{"a.graph": "16777216 1073741824 111\n", "a.grf": "0\n16777216 2147483648\n0 111\n", "b.graph": "1000000000 1\n", "b.grf": "0\n1000000000 2\n0 0\n"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := read(name, text, Options{}); err == nil {
			t.Errorf("%s: expected an error", name)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%s: %d bytes", name, after.TotalAlloc-before.TotalAlloc)
		}
	}
}
